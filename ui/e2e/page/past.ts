// A history to look at.

import type { FakeHub } from "./fake-hub";
import type { AskRecord, By } from "../../src/lib/wire";
import { asks } from "./sample-asks";

const me: By = { channel: "modal", who: "me" };
const telegram: By = { channel: "telegram", who: "@mireille" };

export function rememberSome(hub: FakeHub): void {
  const past: [keyof typeof asks, string | undefined, By, number][] = [
    ["install", undefined, { channel: "system", who: "timeout" }, 600],
    [
      "text",
      "Failed uploads are retried three times with growing pauses.",
      { channel: "web", who: "phone" },
      240,
    ],
    ["hidden", undefined, me, 21],
    ["branch", "release-2.4", me, 9],
    ["migrate", "run", me, 60],
    ["install", "yes", telegram, 48],
  ];
  for (const [n, [name, value, by, took]] of past.entries()) {
    const { age, ...ask } = asks[name];
    const created_at = Date.now() - (past.length - n) * 1_000_000 - age;
    const action = value !== undefined ? "ok" : by.channel === "system" ? "timeout" : "cancel";
    const request_id = `req:${n + 101}`;
    const record: AskRecord = {
      ...ask,
      request_id,
      created_at,
      response: { request_id, action, ...(value !== undefined && { value }) },
      resolved_at: created_at + took * 1000,
      by,
    };
    hub.remember(n === 2 ? record : { ...record, delivered_at: created_at + took * 1000 });
  }
}
