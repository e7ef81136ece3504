// What the tests of this topic start from.

import type { AskUserRequest } from "../lib/wire";

export function aRequest(n: number, change: Partial<AskUserRequest> = {}): AskUserRequest {
  return {
    request_id: `req:${n}`,
    surface_id: "term:pts/3",
    kind: "yesno",
    title: `Question ${n}`,
    created_at: n,
    ...change,
  };
}

/** A storage that forgets when the test ends. */
export function aStorage(kept: Record<string, string> = {}): Storage {
  const items = new Map(Object.entries(kept));
  return {
    get length() {
      return items.size;
    },
    key: (n) => [...items.keys()][n] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}
