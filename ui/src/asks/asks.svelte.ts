// The asks that wait, and how the last ones ended: rebuilt from every snapshot, kept by every event.

import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { Backend, Unsubscribe } from "../lib/backend";
import type { AskUserEvent, AskUserRequest, AskUserResponse, By } from "../lib/wire";
import type { Notes } from "./notes";

/** How an ask ended, as far as it was heard: one that ended out of reach is only gone. */
export type Ending = { at: number } & ({ response: AskUserResponse; by: By } | { response?: never });

/** Endings are told once; a few suffice. */
const ENDINGS_KEPT = 50;

export class Asks {
  /** Oldest first. */
  pending = $state.raw<AskUserRequest[]>([]);
  /** Whether anything was heard yet. */
  known = $state(false);
  readonly endings = new SvelteMap<string, Ending>();
  readonly later = new SvelteSet<string>();
  readonly drafted = new SvelteSet<string>();
  readonly #notes: Notes;
  readonly #now: () => number;

  constructor(notes: Notes, now: () => number) {
    this.#notes = notes;
    this.#now = now;
  }

  follow(backend: Backend): Unsubscribe {
    const ends = [
      backend.subscribe("askUserEvent", (event) => this.hear(event)),
      this.#notes.hear((id) => this.#readNote(id)),
    ];
    return () => ends.forEach((end) => end());
  }

  hear(event: AskUserEvent): void {
    switch (event.kind) {
      case "shown":
        if (this.has(event.request.request_id)) return;
        this.pending = [...this.pending, event.request];
        this.#readNote(event.request.request_id);
        return;
      case "resolved":
        this.#end(event.request_id, { at: this.#now(), response: event.response, by: event.by });
        return;
      case "snapshot": {
        const waiting = event.pending.map((request) => request.request_id);
        const gone = this.pending.filter((request) => !waiting.includes(request.request_id));
        for (const { request_id } of gone) this.#end(request_id, { at: this.#now() });
        this.#notes.keepOnly(waiting);
        this.pending = event.pending;
        for (const id of waiting) this.#readNote(id);
        this.known = true;
      }
    }
  }

  get(requestId: string | undefined): AskUserRequest | undefined {
    return this.pending.find((request) => request.request_id === requestId);
  }

  has(requestId: string): boolean {
    return this.get(requestId) !== undefined;
  }

  /** The asks that were not put off. */
  get now(): AskUserRequest[] {
    return this.pending.filter((request) => !this.later.has(request.request_id));
  }

  /** Where an ask stands among those of its own surface, counted from one. */
  position({ request_id, surface_id }: AskUserRequest): { n: number; total: number } {
    const own = this.pending.filter((request) => request.surface_id === surface_id);
    return { n: own.findIndex((request) => request.request_id === request_id) + 1, total: own.length };
  }

  putOff(requestId: string, later: boolean): void {
    this.#notes.change(requestId, { later });
    this.#readNote(requestId);
  }

  draft(requestId: string): string | undefined {
    return this.#notes.of(requestId).draft;
  }

  keepDraft(requestId: string, draft: string | undefined): void {
    this.#notes.change(requestId, { draft });
    this.#readNote(requestId);
  }

  #end(requestId: string, ending: Ending): void {
    this.pending = this.pending.filter((request) => request.request_id !== requestId);
    this.#notes.drop(requestId);
    this.later.delete(requestId);
    this.drafted.delete(requestId);
    this.endings.set(requestId, ending);
    const [oldest] = this.endings.keys();
    if (this.endings.size > ENDINGS_KEPT && oldest !== undefined) this.endings.delete(oldest);
  }

  #readNote(requestId: string): void {
    const { draft, later } = this.#notes.of(requestId);
    if (later) this.later.add(requestId);
    else this.later.delete(requestId);
    if (draft) this.drafted.add(requestId);
    else this.drafted.delete(requestId);
  }
}

/**
 * Chooses the ask to show: what the person chose, else the one that stands there, else the oldest. What
 * stands there is never replaced by itself, so that nothing appears under a finger.
 */
export function askToShow(
  asks: Pick<Asks, "get" | "now">,
  chosen: string | undefined,
  standing: string | undefined,
): AskUserRequest | undefined {
  const { now } = asks;
  return asks.get(chosen) ?? now.find((request) => request.request_id === standing) ?? now[0];
}
