import { describe, expect, test } from "vitest";
import { Asks, askToShow } from "./asks.svelte";
import { Notes } from "./notes";
import { aRequest, aStorage } from "./samples";

const by = { channel: "telegram", who: "@mireille" } as const;

function waiting(...numbers: number[]): { asks: Asks; storage: Storage } {
  const storage = aStorage();
  const asks = new Asks(new Notes(storage), () => 100);
  asks.hear({ kind: "snapshot", pending: numbers.map((n) => aRequest(n)) });
  return { asks, storage };
}

const ids = (asks: Asks) => asks.pending.map((request) => request.request_id);

test("a snapshot is all that waits, an event adds or ends one", () => {
  const { asks } = waiting(1, 2);
  asks.hear({ kind: "shown", request: aRequest(3) });
  asks.hear({ kind: "shown", request: aRequest(3) });
  expect(ids(asks)).toEqual(["req:1", "req:2", "req:3"]);
  const response = { request_id: "req:2", action: "ok", value: "yes" } as const;
  asks.hear({ kind: "resolved", request_id: "req:2", response, by });
  expect(ids(asks)).toEqual(["req:1", "req:3"]);
  expect(asks.endings.get("req:2")).toEqual({ at: 100, response, by });
});

test("what is gone in the next snapshot ended unseen", () => {
  const { asks } = waiting(1, 2);
  asks.hear({ kind: "snapshot", pending: [aRequest(2)] });
  expect(asks.endings.get("req:1")).toEqual({ at: 100 });
});

test("a draft and Later survive a reload, and go with the ask", () => {
  const { asks, storage } = waiting(1, 2);
  asks.keepDraft("req:1", "half an answer");
  asks.putOff("req:1", true);
  asks.keepDraft("req:2", "");
  const reloaded = new Asks(new Notes(storage), () => 0);
  reloaded.hear({ kind: "snapshot", pending: [aRequest(1), aRequest(2)] });
  expect(reloaded.draft("req:1")).toBe("half an answer");
  expect([...reloaded.later]).toEqual(["req:1"]);
  expect(reloaded.draft("req:2")).toBe("");
  expect(reloaded.drafted.has("req:2")).toBe(false);
  reloaded.hear({
    kind: "resolved",
    request_id: "req:1",
    response: { request_id: "req:1", action: "cancel" },
    by,
  });
  expect(storage.getItem("ask.req:1")).toBeNull();
});

test("notes of asks that ended while nobody looked are dropped, other things stay", () => {
  const storage = aStorage({ "ask.req:9": '{"draft":"x"}', "ask.req:1": "broken {", other: "1" });
  const asks = new Asks(new Notes(storage), () => 0);
  asks.hear({ kind: "snapshot", pending: [aRequest(1)] });
  expect([storage.getItem("ask.req:9"), storage.getItem("other")]).toEqual([null, "1"]);
  expect(asks.draft("req:1")).toBeUndefined();
});

test("a full storage loses no more than the note", () => {
  const storage = aStorage();
  storage.setItem = () => {
    throw new Error("QuotaExceededError");
  };
  const asks = new Asks(new Notes(storage), () => 0);
  asks.hear({ kind: "snapshot", pending: [aRequest(1)] });
  asks.keepDraft("req:1", "x");
  expect(asks.draft("req:1")).toBeUndefined();
});

test("an ask is counted among those of its own surface", () => {
  const { asks } = waiting(1, 2);
  asks.hear({ kind: "shown", request: aRequest(3, { surface_id: "elsewhere" }) });
  expect(asks.position(aRequest(2))).toEqual({ n: 2, total: 2 });
  expect(asks.position(aRequest(3, { surface_id: "elsewhere" }))).toEqual({ n: 1, total: 1 });
});

describe("which ask is shown", () => {
  test("the oldest, while nothing stands there", () => {
    expect(askToShow(waiting(1, 2).asks, undefined, undefined)?.request_id).toBe("req:1");
  });

  test("what stands there, whatever comes or comes back before it", () => {
    const { asks } = waiting(1, 2);
    asks.putOff("req:1", true);
    expect(askToShow(asks, undefined, "req:2")?.request_id).toBe("req:2");
    asks.putOff("req:1", false);
    expect(askToShow(asks, undefined, "req:2")?.request_id).toBe("req:2");
  });

  test("what the person chose, also one that was put off", () => {
    const { asks } = waiting(1, 2);
    asks.putOff("req:2", true);
    expect(askToShow(asks, "req:2", "req:1")?.request_id).toBe("req:2");
  });

  test("none when all are put off", () => {
    const { asks } = waiting(1);
    asks.putOff("req:1", true);
    expect(askToShow(asks, undefined, "req:1")).toBeUndefined();
  });
});
