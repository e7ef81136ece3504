import { describe, expect, test } from "vitest";
import { voiceOf } from "../lib/say";
import type { AskRecord } from "../lib/wire";
import { answerOf, answeredBy, asJsonLines, matches } from "./records";

const english = voiceOf("en");
const french = voiceOf("fr");
const base: AskRecord = {
  request_id: "req:7",
  surface_id: "term:pts/3",
  agent_id: "claude:1",
  kind: "yesno",
  title: "Run install?",
  body: "14 packages",
  created_at: 0,
};
const ended = (action: "ok" | "cancel" | "timeout", more: object = {}): AskRecord => ({
  ...base,
  response: { request_id: "req:7", action, ...more },
  resolved_at: 9000,
  by: { channel: "telegram", who: "@mireille" },
});

test("an answer is said in the person's language where it is a word of ours", () => {
  expect(answerOf(french, ended("ok", { value: "yes" }))).toBe("Oui");
  expect(answerOf(english, { ...ended("ok", { value: "run" }), kind: "confirm-command" })).toBe("Run");
  expect(answerOf(english, { ...ended("ok", { value: "yes\u202e" }), kind: "text" })).toBe("yes⟦U+202E⟧");
  expect(answerOf(french, ended("timeout"))).toBe("Expirée");
  expect(answerOf(english, base)).toBe("Waiting");
  expect(answerOf(english, ended("cancel", { reason: "not now" }))).toBe("Cancelled: not now");
  const gone = {
    ...ended("cancel", { reason: "asker disconnected" }),
    by: { channel: "system", who: "hub" } as const,
  };
  expect(answerOf(english, gone)).toBe("Withdrawn");
  const interrupted = {
    ...ended("cancel", { reason: "withdrawn by the asker" }),
    by: { channel: "cli", who: "me" } as const,
  };
  expect(answerOf(english, interrupted)).toBe("Withdrawn");
  expect(answeredBy(english, interrupted)).toBe("–");
});

test("a long answer is cut in the table", () => {
  const long = answerOf(english, { ...ended("ok", { value: "x".repeat(500) }), kind: "text" });
  expect(long).toBe(`${"x".repeat(59)}…`);
});

test("who answered", () => {
  expect(answeredBy(english, ended("ok", { value: "yes" }))).toBe("Telegram · @mireille");
  expect(answeredBy(english, ended("timeout"))).toBe("–");
  expect(answeredBy(french, { ...ended("ok"), by: { channel: "modal", who: "me" } })).toBe("Fenêtre");
});

describe("searching", () => {
  test.each(["", "install", "INSTALL claude", "14 pts/3", "req:7", "mireille"])("finds by %j", (sought) => {
    expect(matches(ended("ok", { value: "yes" }), sought, "all")).toBe(true);
  });

  test("every word has to be there, and the outcome has to fit", () => {
    expect(matches(base, "install nowhere", "all")).toBe(false);
    expect(matches(base, "", "ok")).toBe(false);
    expect(matches(base, "", "waiting")).toBe(true);
    expect(matches(ended("timeout"), "install", "timeout")).toBe(true);
  });
});

test("an export is the wire's own record, one a line", () => {
  const lines = asJsonLines([base, ended("ok", { value: "a\nb" })])
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line) as AskRecord)).toEqual([base, ended("ok", { value: "a\nb" })]);
});
