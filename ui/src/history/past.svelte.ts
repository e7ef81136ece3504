// The history as far as it was read: newest first, more on demand, and on while a search finds too little.

import { SvelteMap } from "svelte/reactivity";
import type { Backend } from "../lib/backend";
import type { AskRecord } from "../lib/wire";

/** Records a call reads. */
const PAGE = 200;

export class Past {
  readonly #records = new SvelteMap<string, AskRecord>();
  /** Whether everything was read. */
  whole = $state(false);
  /** The hub could not be asked, or could not read. */
  failed = $state(false);
  reading = $state(false);
  readonly #backend: Backend;
  #oldest: string | undefined;
  /** Reads come one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Newest first. */
  get records(): AskRecord[] {
    const number = ({ request_id }: AskRecord) => Number(request_id.split(":")[1]);
    return [...this.#records.values()].sort((a, b) => number(b) - number(a));
  }

  /** Reads the newest again: what was asked or ended meanwhile. */
  refresh(): Promise<void> {
    return (this.#turn = this.#turn.then(() => this.#read(undefined)));
  }

  more(): Promise<void> {
    return (this.#turn = this.#turn.then(() => (this.whole ? undefined : this.#read(this.#oldest))));
  }

  /** Reads on until so many fit, or there are no more. */
  async until(fit: (record: AskRecord) => boolean, wanted: number): Promise<void> {
    await this.#turn;
    while (!this.whole && !this.failed && this.records.filter(fit).length < wanted) await this.more();
  }

  async #read(before: string | undefined): Promise<void> {
    this.reading = true;
    try {
      const params = { limit: PAGE, ...(before !== undefined && { before }) };
      const { entries } = await this.#backend.call("agent.ask_history", params);
      for (const entry of entries) this.#records.set(entry.request_id, entry);
      const last = entries.at(-1)?.request_id;
      const reachesOn = before !== undefined || this.#oldest === undefined;
      if (reachesOn && last !== undefined) this.#oldest = last;
      if (reachesOn && entries.length < PAGE) this.whole = true;
      this.failed = false;
    } catch {
      this.failed = true;
    } finally {
      this.reading = false;
    }
  }
}
