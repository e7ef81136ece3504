// Where a dialog's acts go: to the hub, or for the sample to nobody.

import type { Backend } from "../lib/backend";
import type { Calls } from "../lib/wire";

/** What the kernel knows of the process that waits; all of it may be unknown. */
export type Asker = Calls["agent.ask_asker"]["result"];

/** Takes the acts of one ask's dialog. Each rejects with a `CallError`. */
export type Answerer = {
  asker(): Promise<Asker>;
  /** False: the ask is not waiting any more. */
  acknowledge(): Promise<boolean>;
  /** False: somebody else was faster. */
  answer(value: string): Promise<boolean>;
  cancel(reason: string): Promise<boolean>;
};

export function throughHub(backend: Backend, requestId: string): Answerer {
  const request_id = requestId;
  return {
    asker: () => backend.call("agent.ask_asker", { request_id }),
    acknowledge: async () => (await backend.call("agent.ask_ack", { request_id })).acked,
    answer: async (value) => (await backend.call("agent.ask_answer", { request_id, value })).resolved,
    cancel: async (reason) =>
      (await backend.call("agent.ask_cancel", { request_id, ...(reason !== "" && { reason }) })).resolved,
  };
}

/** Answers of the sample go nowhere. */
export const toNobody: Answerer = {
  asker: () => Promise.resolve({}),
  acknowledge: () => Promise.resolve(true),
  answer: () => Promise.resolve(true),
  cancel: () => Promise.resolve(true),
};
