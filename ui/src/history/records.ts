// Past asks: what is said of one, which ones are looked for, and all of them as lines of JSON.

import { isWithdrawn, sayValue } from "../asks/ending";
import { shown } from "../lib/display";
import { type Voice, fill } from "../lib/say";
import type { AskRecord, AskedAction } from "../lib/wire";

/** How an ask ended, or that it still waits. */
export type Outcome = AskedAction | "waiting";

export function outcomeOf(record: AskRecord): Outcome {
  return record.response?.action ?? "waiting";
}

/** The answer, or the word for how it ended without one. */
export function answerOf({ words, ...voice }: Voice, record: AskRecord): string {
  const { common, ask } = words;
  const { response, by } = record;
  if (!response) return common.waiting;
  switch (response.action) {
    case "ok":
      return sayValue({ words, ...voice }, record, response.value ?? "");
    case "timeout":
      return common.timedOut;
    case "cancel":
      if (by && isWithdrawn(by, response)) return common.withdrawn;
      return response.reason
        ? fill(common.cancelledBecause, { reason: shown(response.reason, "line") })
        : common.cancelled;
    default:
      return ask.endedUnseen;
  }
}

/** The door and the person, as a table says them. */
export function answeredBy({ words: { history } }: Voice, { by, response }: AskRecord): string {
  if (!by || response?.action === "timeout" || (response && isWithdrawn(by, response))) return "–";
  const door = {
    modal: history.window,
    cli: "ht",
    web: history.mirror,
    telegram: "Telegram",
    system: history.hub,
  };
  const who = shown(by.who, "line");
  return by.channel === "system" || by.channel === "modal"
    ? door[by.channel]
    : `${door[by.channel]} · ${who}`;
}

/** Tells whether a record is looked for: every word of `sought` stands in it somewhere. */
export function matches(record: AskRecord, sought: string, outcome: Outcome | "all"): boolean {
  if (outcome !== "all" && outcomeOf(record) !== outcome) return false;
  const words = sought.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { title, body, surface_id, agent_id, response, by, request_id } = record;
  const texts = [title, body, surface_id, agent_id, response?.value, response?.reason, by?.who, request_id];
  const text = texts
    .filter((part) => part !== undefined)
    .join("\n")
    .toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

/** Every record as the wire has it, one a line. */
export function asJsonLines(records: AskRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
