// One ask as it stands before the person: which step, what is under way, what went wrong. No page in here.

import { callError } from "../lib/backend";
import type { AskUserRequest } from "../lib/wire";
import type { Answerer } from "./answerer";

/** For how long an acknowledgement is valid, counted from before it was sent, so never longer than the hub. */
const ACK_VALID = 120_000;

/** Most bytes in a text answer; the hub refuses more. */
const MAX_TEXT = 256 * 1024;

/** What keeps an ask from going on: a word of the catalogue, or the hub's own sentence. */
export type Trouble = "offline" | "notSaved" | "expired" | "empty" | "tooLong" | { said: string };

/** What is on its way: the value, or that it is a cancel or an acknowledgement. */
export type Sending = { value: string } | "cancel" | "ack";

export class Asking {
  readonly request: AskUserRequest;
  /** Only a confirm-command has a second step. */
  step = $state<1 | 2>(1);
  sending = $state.raw<Sending>();
  trouble = $state.raw<Trouble>();
  cancelling = $state(false);
  /** How it ended here, once the hub said so; `elsewhere` when somebody else was faster. */
  done = $state<"answered" | "cancelled" | "elsewhere">();
  #understoodAt = $state(0);
  readonly #answerer: Answerer;
  readonly #now: () => number;

  constructor(request: AskUserRequest, answerer: Answerer, now: () => number) {
    this.request = request;
    this.#answerer = answerer;
    this.#now = now;
  }

  /** Milliseconds that the acknowledgement is still valid. */
  validFor(now: number): number {
    return Math.max(0, this.#understoodAt + ACK_VALID - now);
  }

  /** Goes back to the first step when the acknowledgement has run out. */
  expire(now: number): void {
    if (this.step === 2 && !this.sending && this.validFor(now) === 0) this.#startOver();
  }

  async understand(): Promise<void> {
    const at = this.#now();
    await this.#send("ack", async () => {
      if (await this.#answerer.acknowledge()) {
        this.#understoodAt = at;
        this.step = 2;
      } else {
        this.done = "elsewhere";
      }
    });
  }

  back(): void {
    this.step = 1;
  }

  async answer(value: string): Promise<void> {
    if (this.request.kind === "text") {
      if (value === "") return this.#stumble("empty");
      if (new TextEncoder().encode(value).length > MAX_TEXT) return this.#stumble("tooLong");
    }
    await this.#send({ value }, async () => {
      this.done = (await this.#answerer.answer(value)) ? "answered" : "elsewhere";
    });
  }

  async cancel(reason: string): Promise<void> {
    await this.#send("cancel", async () => {
      this.done = (await this.#answerer.cancel(reason)) ? "cancelled" : "elsewhere";
    });
  }

  #stumble(trouble: Trouble): void {
    if (!this.sending) this.trouble = trouble;
  }

  #startOver(): void {
    this.step = 1;
    this.trouble = "expired";
  }

  /** One act at a time: a second one while the first is under way does nothing. */
  async #send(what: Sending, act: () => Promise<void>): Promise<void> {
    if (this.sending || this.done) return;
    this.sending = what;
    this.trouble = undefined;
    try {
      await act();
    } catch (thrown) {
      const { code, message } = callError(thrown);
      if (code === "ack_required") this.#startOver();
      else if (code === "unreachable" || code === "shutting_down") this.trouble = "offline";
      else if (code === "storage_unavailable") this.trouble = "notSaved";
      else this.trouble = { said: message };
    } finally {
      // Only now, when its outcome is known: an ask that is gone without one ended elsewhere.
      this.sending = undefined;
    }
  }
}
