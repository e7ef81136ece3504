// A hub that lives in the page: it keeps the rules that a dialog can see, and does what a test tells it.

import type { Backend, CallError } from "../../src/lib/backend";
import type { PageCalls, PageEvents, Settings } from "../../src/lib/protocol";
import type { AskRecord, AskUserRequest, AskUserResponse, By, Calls } from "../../src/lib/wire";

export type Asker = Calls["agent.ask_asker"]["result"];
/** How the hub is: well, out of reach, unable to write, or taking its time for ever. */
export type Health = "well" | "unreachable" | "full" | "silent";
export type NewAsk = Omit<AskUserRequest, "request_id" | "created_at"> & { age?: number };

const ACK_MS = 120_000;
const ME: By = { channel: "modal", who: "me" };

export class FakeHub implements Backend {
  health: Health = "well";
  /** Every answer and cancel that was taken, in order. */
  readonly taken: { id: string; value?: string; reason?: string }[] = [];
  readonly calls: { method: string; params: unknown }[] = [];
  readonly saved: string[] = [];
  settings: Settings = {
    language: "en",
    theme: "light",
    notification_content: false,
    ask_on_top: true,
    start_at_login: false,
  };
  readonly #pending: AskUserRequest[] = [];
  readonly #records: AskRecord[] = [];
  readonly #askers = new Map<string, Asker>();
  readonly #acks = new Map<string, number>();
  readonly #hearers: { channel: string; hear: (event: never) => void }[] = [];
  #next = 1;

  // What a test tells it.

  ask({ age = 0, ...ask }: NewAsk, asker: Asker = {}): string {
    const request = { ...ask, request_id: `req:${this.#next++}`, created_at: Date.now() - age * 1000 };
    this.#pending.push(request);
    this.#askers.set(request.request_id, asker);
    this.#tell("askUserEvent", { kind: "shown", request });
    return request.request_id;
  }

  /** Ends an ask as somebody else would. */
  end(id: string, response: Omit<AskUserResponse, "request_id">, by: By): void {
    const at = this.#pending.findIndex((request) => request.request_id === id);
    const [request] = at < 0 ? [] : this.#pending.splice(at, 1);
    if (!request) return;
    const whole = { request_id: id, ...response };
    this.#records.push({
      ...request,
      response: whole,
      resolved_at: Date.now(),
      delivered_at: Date.now(),
      by,
    });
    this.#tell("askUserEvent", { kind: "resolved", request_id: id, response: whole, by });
  }

  /** Adds to the history what ended long ago. */
  remember(record: AskRecord): void {
    this.#records.push(record);
  }

  snapshot(pending = this.#pending): void {
    this.#tell("askUserEvent", { kind: "snapshot", pending: [...pending] });
  }

  open(request_id: string): void {
    this.#tell("windowEvent", { kind: "open", request_id });
  }

  forgetAcks(): void {
    this.#acks.clear();
  }

  // What the page asks of it.

  async call<M extends keyof PageCalls>(method: M, params: PageCalls[M]["params"]) {
    this.calls.push({ method, params });
    if (this.health === "silent") return new Promise<never>(() => undefined);
    await new Promise((done) => setTimeout(done, 20));
    if (this.health === "unreachable") throw refusal("unreachable", "No hub.");
    const doors: Partial<Record<keyof PageCalls, unknown>> = this.#doors;
    const door = doors[method] as ((params: unknown) => unknown) | undefined;
    if (!door) throw refusal("method_not_found", `No method ${method}.`);
    return door(params) as PageCalls[M]["result"];
  }

  subscribe<C extends keyof PageEvents>(channel: C, hear: (event: PageEvents[C]) => void) {
    const hearer = { channel, hear: hear as (event: never) => void };
    this.#hearers.push(hearer);
    if (channel === "askUserEvent") setTimeout(() => this.snapshot());
    return () => void this.#hearers.splice(this.#hearers.indexOf(hearer), 1);
  }

  readonly #doors = {
    "agent.ask_asker": ({ request_id }: { request_id: string }) => this.#askers.get(request_id) ?? {},
    "agent.ask_ack": ({ request_id }: { request_id: string }) => {
      const waits = this.#get(request_id) !== undefined;
      if (waits) this.#acks.set(request_id, Date.now());
      return { acked: waits };
    },
    "agent.ask_answer": ({ request_id, value }: { request_id: string; value: string }) => {
      const request = this.#get(request_id);
      if (!request) return { resolved: false };
      if (this.health === "full") throw refusal("storage_unavailable", "Not written.");
      const fresh = Date.now() - (this.#acks.get(request_id) ?? -Infinity) < ACK_MS;
      if (request.kind === "confirm-command" && !fresh) throw refusal("ack_required", "Acknowledge first.");
      this.taken.push({ id: request_id, value });
      this.end(request_id, { action: "ok", value }, ME);
      return { resolved: true };
    },
    "agent.ask_cancel": ({ request_id, reason }: { request_id: string; reason?: string }) => {
      if (!this.#get(request_id)) return { resolved: false };
      this.taken.push({ id: request_id, ...(reason !== undefined && { reason }) });
      this.end(request_id, { action: "cancel", ...(reason !== undefined && { reason }) }, ME);
      return { resolved: true };
    },
    "agent.ask_history": ({ limit = 50, before }: { limit?: number; before?: string }) => {
      const number = (id: string) => Number(id.split(":")[1]);
      const all = [...this.#records, ...this.#pending].sort(
        (a, b) => number(b.request_id) - number(a.request_id),
      );
      const older = all.filter((record) => !before || number(record.request_id) < number(before));
      return { entries: older.slice(0, limit) };
    },
    "settings.get": () => this.settings,
    "settings.set": (change: Partial<Settings>) => {
      if (this.health === "full") throw refusal("storage_unavailable", "Not written.");
      this.settings = { ...this.settings, ...change };
      this.#tell("windowEvent", { kind: "settings", settings: this.settings });
      return this.settings;
    },
    "window.fit": () => null,
    "window.save": ({ name, text }: { name: string; text: string }) => {
      this.saved.push(text);
      return { path: `/home/me/${name}` };
    },
  };

  #get(id: string): AskUserRequest | undefined {
    return this.#pending.find((request) => request.request_id === id);
  }

  #tell<C extends keyof PageEvents>(channel: C, event: PageEvents[C]): void {
    for (const hearer of this.#hearers) if (hearer.channel === channel) hearer.hear(event as never);
  }
}

function refusal(code: string, message: string): CallError {
  return { code, message };
}
