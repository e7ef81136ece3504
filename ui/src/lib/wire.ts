// Generated from src/wire of hotline-core; edit it there.
// `UPDATE=1 cargo test -p hotline-core wire` writes it anew.

export type Kind = "yesno" | "choice" | "text" | "confirm-command";

export type Choice = { 
/**
 * What the asker gets; 1–200 characters, unique in its ask.
 */
id: string, 
/**
 * What the person reads; up to 500 characters, the id where the asker gave none.
 */
label: string, };

export type AskUserRequest = { 
/**
 * `req:N`; N counts up and is never reused.
 */
request_id: string, 
/**
 * The pane, terminal or other place that asked; 1–200 characters.
 */
surface_id: string, 
/**
 * What the agent calls itself: a label, never an identity.
 */
agent_id?: string, 
/**
 * What kind of answer is wanted.
 */
kind: Kind, 
/**
 * One line, 1–500 characters.
 */
title: string, 
/**
 * Plain text of at most 256 KiB, byte for byte; a confirm-command's command.
 */
body?: string, 
/**
 * What a choice offers, in the asker's order.
 */
choices?: Array<Choice>, 
/**
 * The answer to preselect or prefill; never submitted by itself.
 */
default?: string, 
/**
 * Milliseconds until the ask ends as `timeout`; 0 or absent waits for ever.
 */
timeout_ms?: number, 
/**
 * The asker's word that the command is destructive; a sent `false` is kept.
 */
unsafe?: boolean, 
/**
 * Milliseconds since the epoch.
 */
created_at: number, };

export type AskedAction = "ok" | "cancel" | "timeout";

export type AskUserResponse = { 
/**
 * The ask that ended.
 */
request_id: string, 
/**
 * How it ended.
 */
action: AskedAction, 
/**
 * The answer; only with `ok`.
 */
value?: string, 
/**
 * Why; only with `cancel`.
 */
reason?: string, };

export type Channel = "modal" | "cli" | "web" | "telegram" | "system";

export type By = { 
/**
 * The door.
 */
channel: Channel, 
/**
 * The person or cause, in words for the history.
 */
who: string, };

export type AskRecord = { 
/**
 * How it ended; absent while it waits.
 */
response?: AskUserResponse, 
/**
 * When it ended, in milliseconds since the epoch.
 */
resolved_at?: number, 
/**
 * Who ended it.
 */
by?: By, 
/**
 * When the kernel had taken the whole reply to the asker, in milliseconds since the epoch.
 */
delivered_at?: number, 
/**
 * `req:N`; N counts up and is never reused.
 */
request_id: string, 
/**
 * The pane, terminal or other place that asked; 1–200 characters.
 */
surface_id: string, 
/**
 * What the agent calls itself: a label, never an identity.
 */
agent_id?: string, 
/**
 * What kind of answer is wanted.
 */
kind: Kind, 
/**
 * One line, 1–500 characters.
 */
title: string, 
/**
 * Plain text of at most 256 KiB, byte for byte; a confirm-command's command.
 */
body?: string, 
/**
 * What a choice offers, in the asker's order.
 */
choices?: Array<Choice>, 
/**
 * The answer to preselect or prefill; never submitted by itself.
 */
default?: string, 
/**
 * Milliseconds until the ask ends as `timeout`; 0 or absent waits for ever.
 */
timeout_ms?: number, 
/**
 * The asker's word that the command is destructive; a sent `false` is kept.
 */
unsafe?: boolean, 
/**
 * Milliseconds since the epoch.
 */
created_at: number, };

export type EventChannel = "askUserEvent" | "agentEvent" | "meshEvent" | "notificationEvent";

export type AskUserEvent = { "kind": "shown", 
/**
 * The ask.
 */
request: AskUserRequest, } | { "kind": "resolved", 
/**
 * Which one.
 */
request_id: string, 
/**
 * How.
 */
response: AskUserResponse, 
/**
 * By whom.
 */
by: By, } | { "kind": "snapshot", 
/**
 * The asks.
 */
pending: Array<AskUserRequest>, };

export type Level = "info" | "success" | "warn" | "error";

export type NotificationEvent = { "kind": "created", 
/**
 * `notification:N`, counted since the hub started.
 */
id: string, 
/**
 * One line.
 */
title: string, 
/**
 * Plain text.
 */
body?: string, 
/**
 * How serious it is.
 */
level: Level, 
/**
 * The place it is about.
 */
surface_id?: string, };

export type ErrorKind = "parse_error" | "invalid_request" | "method_not_found" | "invalid_params" | "internal" | "too_large" | "not_found" | "ack_required" | "self_answer" | "idempotency_conflict" | "queue_full" | "forbidden" | "storage_unavailable" | "shutting_down";

/** What each method takes and returns. */
export type Calls = {
  /** Asks a person and returns when the ask is answered, cancelled or timed out. */
  "agent.ask_user": { params: { surface_id: string; agent_id?: string | null; kind: Kind; title: string; body?: string | null; choices?: { id: string; label?: string | null }[] | null; default?: string | null; timeout_ms?: number | null; unsafe?: boolean | null; idempotency_key?: string | null }; result: AskUserResponse };
  /** Lists the asks that wait, oldest first. */
  "agent.ask_pending": { params: { surface_id?: string | null }; result: { pending: AskUserRequest[] } };
  /** Says what the kernel knows of the process that waits for an ask; nothing of it is the asker's word. */
  "agent.ask_asker": { params: { request_id: string }; result: { pid?: number | null; program?: string | null; parent_pid?: number | null; parent_program?: string | null; cwd?: string | null; terminal?: string | null; away_until?: number | null } };
  /** The first of two steps to run a command: says that it was read. Valid for two minutes. */
  "agent.ask_ack": { params: { request_id: string }; result: { acked: boolean } };
  /** Answers an ask as its person; the first valid answer wins. */
  "agent.ask_answer": { params: { request_id: string; value: string }; result: { resolved: boolean; acked?: boolean | null } };
  /** Ends an ask without an answer, named by exactly one of its id and its key. */
  "agent.ask_cancel": { params: { request_id?: string | null; idempotency_key?: string | null; reason?: string | null }; result: { resolved: boolean } };
  /** Lists asks and how they ended, newest first. */
  "agent.ask_history": { params: { limit?: number | null; before?: string | null; surface_id?: string | null; agent_id?: string | null }; result: { entries: AskRecord[] } };
  /** Follows what happens: first a snapshot, then events under the same id. */
  "events.subscribe": { params: { channels?: EventChannel[] | null }; result: { subscribed: EventChannel[] } };
  /** Tells the person something that needs no answer. */
  "notification.create": { params: { title: string; body?: string | null; level?: Level | null; surface_id?: string | null }; result: { id: string } };
  /** Says PONG. */
  "system.ping": { params: Record<string, never>; result: "PONG" };
  /** Names the program, its version and the version of this contract. */
  "system.version": { params: Record<string, never>; result: { name: string; version: string; protocol: number } };
  /** Describes every method with the JSON Schema of its params and its result. */
  "system.capabilities": { params: Record<string, never>; result: { methods: Record<string, unknown> } };
  /** Says where the caller runs, as far as the hub can tell. */
  "system.identify": { params: Record<string, never>; result: { surface_id?: string | null; workspace_id?: string | null; socket_path: string } };
};
