import { expect, test } from "vitest";
import { linesBelow } from "./gate";

const lines = (...ends: number[]) => ({ length: ends.length, at: (n: number) => ends[n] ?? 0 });

test("lines below the visible part are unread", () => {
  expect(linesBelow(100, lines(20, 40, 60))).toBe(0);
  expect(linesBelow(50, lines(20, 40, 60, 80))).toBe(2);
  expect(linesBelow(0, lines(20, 40))).toBe(2);
});

test("a line that is cut is unread; a rounded edge does not cut it", () => {
  expect(linesBelow(70, lines(20, 40, 80))).toBe(1);
  expect(linesBelow(79.4, lines(20, 40, 80))).toBe(0);
});

test("one long line is read at its end", () => {
  expect(linesBelow(300, lines(4000))).toBe(1);
  expect(linesBelow(4000, lines(4000))).toBe(0);
});
