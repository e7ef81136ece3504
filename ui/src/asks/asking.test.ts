import { describe, expect, test } from "vitest";
import type { CallError } from "../lib/backend";
import type { AskUserRequest } from "../lib/wire";
import type { Answerer } from "./answerer";
import { Asking } from "./asking.svelte";
import { aRequest } from "./samples";

/** An ask before a hub that answers as told, and records what it was told. */
function before(request: AskUserRequest, reply: { ok?: boolean; error?: CallError } = {}) {
  const told: string[] = [];
  const clock = { now: 0 };
  const answer = (what: string) => {
    told.push(what);
    return reply.error ? Promise.reject(reply.error as unknown as Error) : Promise.resolve(reply.ok ?? true);
  };
  const answerer: Answerer = {
    asker: () => Promise.resolve({}),
    acknowledge: () => answer("ack"),
    answer: (value) => answer(value),
    cancel: (reason) => answer(`cancel ${reason}`),
  };
  return { asking: new Asking(request, answerer, () => clock.now), told, clock };
}

const command = aRequest(1, { kind: "confirm-command", body: "make" });
const error = (code: string): CallError => ({ code, message: "The hub's own sentence." });

test("an answer is done when the hub said so", async () => {
  const { asking, told } = before(aRequest(1));
  const sent = asking.answer("yes");
  expect(asking.sending).toEqual({ value: "yes" });
  await sent;
  expect([asking.sending, asking.done, told]).toEqual([undefined, "answered", ["yes"]]);
});

test("one act at a time, and none after the last", async () => {
  const { asking, told } = before(aRequest(1));
  await Promise.all([asking.answer("yes"), asking.answer("no"), asking.cancel("")]);
  await asking.answer("no");
  expect(told).toEqual(["yes"]);
});

test("somebody else was faster", async () => {
  const { asking } = before(aRequest(1), { ok: false });
  await asking.answer("yes");
  expect(asking.done).toBe("elsewhere");
});

test("a cancel carries its reason", async () => {
  const { asking, told } = before(aRequest(1));
  await asking.cancel("not now");
  expect([asking.done, told]).toEqual(["cancelled", ["cancel not now"]]);
});

describe("a text", () => {
  test("that is empty or too long is not sent", async () => {
    const { asking, told } = before(aRequest(1, { kind: "text" }));
    await asking.answer("");
    expect(asking.trouble).toBe("empty");
    await asking.answer("é".repeat(131_073));
    expect(asking.trouble).toBe("tooLong");
    expect(told).toEqual([]);
  });

  test("is sent exactly, blanks and all", async () => {
    const { asking, told } = before(aRequest(1, { kind: "text" }));
    await asking.answer(" \u202ea\r\n");
    expect(told).toEqual([" \u202ea\r\n"]);
  });
});

describe("a command", () => {
  test("takes two acts, and the first is valid for two minutes from before it was sent", async () => {
    const { asking, told, clock } = before(command);
    await asking.understand();
    expect([asking.step, asking.done]).toEqual([2, undefined]);
    clock.now = 119_999;
    asking.expire(clock.now);
    expect([asking.step, asking.validFor(clock.now)]).toEqual([2, 1]);
    asking.expire(120_000);
    expect([asking.step, asking.trouble]).toEqual([1, "expired"]);
    expect(told).toEqual(["ack"]);
  });

  test("goes back to the first step when the hub wants it", async () => {
    const { asking } = before(command, { error: error("ack_required") });
    asking.step = 2;
    await asking.answer("run");
    expect([asking.step, asking.trouble, asking.done]).toEqual([1, "expired", undefined]);
  });

  test("that is not waiting any more cannot be acknowledged", async () => {
    const { asking } = before(command, { ok: false });
    await asking.understand();
    expect([asking.step, asking.done]).toEqual([1, "elsewhere"]);
  });
});

test.each([
  ["unreachable", "offline"],
  ["shutting_down", "offline"],
  ["storage_unavailable", "notSaved"],
  ["internal", { said: "The hub's own sentence." }],
])("an error %s keeps the ask and says why", async (code, trouble) => {
  const { asking } = before(aRequest(1), { error: error(code) });
  await asking.answer("yes");
  expect([asking.trouble, asking.done, asking.sending]).toEqual([trouble, undefined, undefined]);
});
