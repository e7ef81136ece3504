// What the person sees of the clocks: whether the ask is armed, the line that crosses, and why a press failed.

import type { Words } from "../lib/words";
import { Arming, type Refusal } from "./arming";
import { Guard } from "./guard";

export class Readiness {
  readonly guard: Guard;
  armed = $state(false);
  /** How long the line takes to cross, anew for each of its values; nothing while no clock runs. */
  line = $state.raw<{ ms: number }>();
  #refusal = $state<Refusal | "spaceOnly">();
  #typing = $state(false);
  readonly #arming: Arming;
  #arms: ReturnType<typeof setTimeout> | undefined;

  constructor(unsafe: boolean) {
    this.#arming = new Arming(unsafe);
    this.guard = new Guard(this.#arming, {
      changed: () => this.#restart(),
      refused: (why) => (this.#refusal = why),
    });
  }

  /** Says why nothing happened, or what is waited for. */
  hint({ ask }: Words): string {
    if (this.#refusal === "early") return ask.early;
    if (this.#refusal === "firstKey") return ask.tabFirst;
    if (this.#refusal === "spaceOnly") return ask.spaceOnly;
    return this.#typing ? ask.readyAfterTyping : "";
  }

  /** What was said of an earlier press is over. */
  forgetRefusal(): void {
    this.#refusal = undefined;
  }

  /** The person types where nothing takes it. */
  typed(): void {
    this.#typing = !this.armed;
  }

  stop(): void {
    clearTimeout(this.#arms);
  }

  /** The clocks changed: shows the line while they run, and fills the answers when they are over. */
  #restart(): void {
    clearTimeout(this.#arms);
    const ready = this.#arming.readyAt();
    const ms = ready === undefined ? undefined : ready - performance.now();
    if (ms !== undefined && ms <= 0) return this.#arm();
    this.armed = false;
    this.line = ms === undefined ? undefined : { ms };
    if (ms !== undefined) this.#arms = setTimeout(() => this.#arm(), ms);
  }

  #arm(): void {
    this.armed = true;
    this.line = undefined;
    this.#typing = false;
  }
}
