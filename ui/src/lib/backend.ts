// The one seam between the page and the hub: the window and the mirror each bring their own.

import type { PageCalls, PageEvents } from "./protocol";

/** Names a call. */
export type Method = keyof PageCalls;

/** Names a channel of events. */
export type Channel = keyof PageEvents;

/** Reaches the hub. It decides nothing: what a call means, and who may make it, is the hub's to say. */
export type Backend = {
  /**
   * Makes one call and resolves to its result. Rejects with a `CallError`, also when the hub is out of
   * reach: nothing was then done, or nothing is known of it.
   */
  call<M extends Method>(method: M, params: PageCalls[M]["params"]): Promise<PageCalls[M]["result"]>;

  /**
   * Hears the events of a channel, a snapshot of what is there first. After the hub was out of reach a
   * new snapshot comes, so a listener keeps nothing that it cannot rebuild from one.
   */
  subscribe<C extends Channel>(channel: C, hear: (event: PageEvents[C]) => void): Unsubscribe;
};

/** Ends a subscription. Ending it twice is harmless. */
export type Unsubscribe = () => void;

/** Tells why a call failed. */
export type CallError = {
  /** The hub's stable word for the error, or `unreachable` when it could not be asked. */
  code: string;

  /** Says it to a person, in a sentence. */
  message: string;

  /** Names the parameter that was wrong, when one was. */
  param?: string;
};

/** Reads what a call was rejected with. What is no error of the hub's means that it was not reached. */
export function callError(thrown: unknown): CallError {
  if (typeof thrown === "object" && thrown !== null) {
    const { code, kind, message, param } = thrown as Record<string, unknown>;
    const word = typeof kind === "string" ? kind : code;
    if (typeof word === "string" && typeof message === "string") {
      return { code: word, message, ...(typeof param === "string" && { param }) };
    }
  }
  return { code: "unreachable", message: String(thrown) };
}
