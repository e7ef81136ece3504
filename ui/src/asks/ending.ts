// How an ask ended, said in one sentence.

import { shown } from "../lib/display";
import { type Voice, fill } from "../lib/say";
import type { AskUserRequest, Channel } from "../lib/wire";
import type { Ending } from "./asks.svelte";

/** Says how an ask ended for somebody who did not end it. */
export function sayEnding(
  voice: Voice,
  request: AskUserRequest,
  ending: Ending | undefined,
  now: number,
): string {
  const { ask, common } = voice.words;
  if (!ending?.response) return ask.endedUnseen;
  const { response, by, at } = ending;
  const how = {
    how: door(voice, by.channel),
    who: shown(by.who, "line"),
    when: voice.ago((now - at) / 1000),
  };
  switch (response.action) {
    case "ok":
      return fill(common.answeredBy, { ...how, value: sayValue(voice, request, response.value ?? "") });
    case "timeout":
      return ask.timedOut;
    case "cancel":
      if (isWithdrawn(by, response)) return ask.withdrawn;
      if (by.channel !== "system") return fill(common.cancelledBy, how);
      return response.reason
        ? fill(common.cancelledBecause, { reason: shown(response.reason, "line") })
        : common.cancelled;
  }
}

/** The reason that the hub gives when the asker hung up, and the one that an `ht` gives that is interrupted. */
const GONE: Partial<Record<Channel, string>> = {
  system: "asker disconnected",
  cli: "withdrawn by the asker",
};

/** Whether it was the asker who took the ask back, rather than a person who cancelled it. */
export function isWithdrawn({ channel }: { channel: Channel }, { reason }: { reason?: string }): boolean {
  return reason !== undefined && reason === GONE[channel];
}

/** Most characters of an answer in a sentence. */
const LONGEST = 60;

/** Says an answer: in the person's language where it is a word of ours, else as it is. */
export function sayValue(voice: Voice, { kind }: Pick<AskUserRequest, "kind">, value: string): string {
  const { yes, no, run } = voice.words.common;
  if (kind === "yesno") return value === "yes" ? yes : no;
  if (kind === "confirm-command") return run;
  const safe = [...shown(value, "line")];
  return safe.length > LONGEST ? `${safe.slice(0, LONGEST - 1).join("")}…` : safe.join("");
}

function door(voice: Voice, channel: Channel): string {
  const { inWindow, withHt, onMirror, byTelegram, byHub } = voice.words.common;
  return { modal: inWindow, cli: withHt, web: onMirror, telegram: byTelegram, system: byHub }[channel];
}
