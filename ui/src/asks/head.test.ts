import { expect, test } from "vitest";
import { callError } from "../lib/backend";
import { voiceOf } from "../lib/say";
import { sayEnding } from "./ending";
import { firstFocus } from "./focus";
import { placeOf } from "./place";
import { aRequest } from "./samples";
import { warningsOf } from "./warnings";

const english = voiceOf("en");

test("what the kernel reports comes before what the asker calls its place", () => {
  expect(placeOf("term:pts/3", undefined)).toEqual({ name: "term:pts/3" });
  expect(placeOf("term:pts/3", {})).toEqual({ name: "term:pts/3" });
  const facts = { program: "/usr/bin/python3", cwd: "/src", terminal: "pts/3" };
  expect(placeOf("checkout", { pid: 7, ...facts })).toEqual({ name: "python3", pid: 7, facts });
});

test("whoever asks through ht is the program that started it", () => {
  const asker = { pid: 8, program: "ht", parent_pid: 7, parent_program: "bash" };
  expect(placeOf("x", asker)).toEqual({ name: "bash", pid: 7, facts: { program: "bash" } });
  expect(placeOf("x", { pid: 8, program: "ht" })).toMatchObject({ name: "ht", pid: 8 });
});

test("hidden characters are counted wherever they are shown, and once", () => {
  const choices = [
    { id: "a\u200b", label: "a\u200b" },
    { id: "b", label: "\u2060b" },
  ];
  const request = aRequest(1, { kind: "choice", title: "T\u202e", agent_id: "x\u3164", body: "\t", choices });
  expect(warningsOf(request)).toEqual({ hidden: 5, mixed: 0, rightToLeft: false });
});

test("right-to-left letters are worth a warning in a command only", () => {
  const body = 'rm "א"';
  expect(warningsOf(aRequest(1, { body })).rightToLeft).toBe(false);
  expect(warningsOf(aRequest(1, { kind: "confirm-command", body })).rightToLeft).toBe(true);
  expect(warningsOf(aRequest(1, { kind: "confirm-command", title: body })).rightToLeft).toBe(true);
});

test("the first focus is the default, and of what executes the heading", () => {
  const choices = ["a", "b"].map((id) => ({ id, label: id }));
  expect(firstFocus(aRequest(1))).toEqual({ answer: "yes" });
  expect(firstFocus(aRequest(1, { default: "no" }))).toEqual({ answer: "no" });
  expect(firstFocus(aRequest(1, { kind: "choice", choices }))).toEqual({ answer: "a" });
  expect(firstFocus(aRequest(1, { kind: "choice", choices, default: "b" }))).toEqual({ answer: "b" });
  expect(firstFocus(aRequest(1, { kind: "text" }))).toEqual({ focus: "field" });
  expect(firstFocus(aRequest(1, { kind: "confirm-command" }))).toEqual({ focus: "heading" });
  expect(firstFocus(aRequest(1, { unsafe: true, default: "no" }))).toEqual({ focus: "heading" });
});

test("an ending says who was faster", () => {
  const by = { channel: "telegram", who: "@mireille\u202e" } as const;
  const say = (response: object, from: object = by) =>
    sayEnding(english, aRequest(1), { at: 0, response, by: from } as never, 2000);
  expect(say({ action: "ok", value: "yes" })).toBe("Answered by Telegram (@mireille⟦U+202E⟧) 2 s ago: Yes");
  expect(say({ action: "cancel", reason: "no" })).toBe("Cancelled by Telegram (@mireille⟦U+202E⟧) 2 s ago");
  expect(say({ action: "timeout" }, { channel: "system", who: "timeout" })).toBe(
    "Timed out. Nothing was answered for you.",
  );
  const system = { channel: "system", who: "hub" };
  expect(say({ action: "cancel", reason: "asker disconnected" }, system)).toBe(
    "Withdrawn: the agent went away.",
  );
  expect(say({ action: "cancel", reason: "hub restarted" }, system)).toBe("Cancelled: hub restarted");
  expect(sayEnding(english, aRequest(1), { at: 0 }, 0)).toBe(english.words.ask.endedUnseen);
});

test("what is no error of the hub's means that it was not reached", () => {
  expect(callError({ kind: "invalid_params", message: "No.", param: "value" })).toEqual({
    code: "invalid_params",
    message: "No.",
    param: "value",
  });
  expect(callError({ code: "unreachable", message: "x" }).code).toBe("unreachable");
  for (const thrown of ["command call not found", new TypeError("x"), null, { code: 7 }]) {
    expect(callError(thrown).code).toBe("unreachable");
  }
});
