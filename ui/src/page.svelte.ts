// What every part of the page shares: the hub, the asks, the settings, the language and the time.

import { createContext } from "svelte";
import { Asks } from "./asks/asks.svelte";
import { Notes } from "./asks/notes";
import type { Backend, Unsubscribe } from "./lib/backend";
import type { LanguageSetting, Settings } from "./lib/protocol";
import { voiceOf } from "./lib/say";
import type { Language } from "./lib/words";

/** What holds until the hub has said what the person chose. */
const UNKNOWN: Settings = {
  language: "system",
  theme: "system",
  notification_content: false,
  ask_on_top: true,
  start_at_login: false,
};

export class Page {
  readonly backend: Backend;
  readonly asks: Asks;
  /** The time, to the second. */
  now = $state(Date.now());
  settings = $state.raw<Settings>(UNKNOWN);
  readonly language: Language = $derived(languageFor(this.settings.language, navigator.language));
  readonly voice = $derived(voiceOf(this.language));
  /** The ask that the person asked for from outside the page; counted, so that asking twice counts twice. */
  opened = $state.raw<{ requestId: string }>();

  constructor(backend: Backend, storage: Storage) {
    this.backend = backend;
    this.asks = new Asks(new Notes(storage), () => Date.now());
  }

  start(): Unsubscribe {
    const tick = setInterval(() => (this.now = Date.now()), 1000);
    const ends = [
      this.asks.follow(this.backend),
      this.backend.subscribe("windowEvent", (event) => {
        if (event.kind === "settings") this.settings = event.settings;
        else this.opened = { requestId: event.request_id };
      }),
    ];
    // Without them the page speaks as the machine does.
    this.backend.call("settings.get", {}).then(
      (settings) => (this.settings = settings),
      () => undefined,
    );
    return () => {
      clearInterval(tick);
      ends.forEach((end) => end());
    };
  }
}

/** Gives the language for a setting on a machine that speaks `system`. */
export function languageFor(setting: LanguageSetting, system: string): Language {
  if (setting !== "system") return setting;
  return /^fr\b/i.test(system) ? "fr" : "en";
}

export const [getPage, setPage] = createContext<Page>();
