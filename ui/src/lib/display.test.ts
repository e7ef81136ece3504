import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Context,
  classTests,
  flagged,
  hiddenIn,
  linesOf,
  nameOf,
  shown,
  spans,
  suspects,
} from "./display";

type Case = {
  text: string;
  context: Context;
  spans: (string | [label: string, name: string])[];
  hidden: number;
  suspects: [from: number, to: number, why: string][];
};
type Fixture = { classes: Record<keyof typeof classTests, number>; names: number; cases: Case[] };

const path = new URL("../../../tests/fixtures/display.json", import.meta.url);
const fixture = JSON.parse(readFileSync(path, "utf8")) as Fixture;

/** FNV-1a of 32 bits over what `bytes` says of every scalar in order, as the Rust side computes it. */
function hash(bytes: (scalar: string) => Iterable<number>): number {
  let sum = 0x811c9dc5;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    for (const byte of bytes(String.fromCodePoint(code))) sum = Math.imul(sum ^ byte, 0x01000193);
  }
  return sum >>> 0;
}

describe("every scalar is of the class that display.rs gives it", () => {
  test.each(Object.entries(classTests))("%s", (name, belongs) => {
    const wanted = fixture.classes[name as keyof typeof classTests];
    expect(hash((c) => [belongs(c) ? 1 : 0])).toBe(wanted);
  });

  test("and has the name it gives it", () => {
    expect(hash((c) => [...new TextEncoder().encode(nameOf(c)), 0])).toBe(fixture.names);
  });
});

test("every case is shown, counted and suspected as display.rs does", () => {
  expect(fixture.cases.length).toBeGreaterThan(100);
  for (const { text, context, ...wanted } of fixture.cases) {
    const found = {
      spans: spans(text, context).map((span) => (typeof span === "string" ? span : [span.label, span.name])),
      hidden: hiddenIn(text, context),
      suspects: suspects(text).map(({ from, to, why }) => [from, to, why]),
    };
    expect({ text, ...found }).toEqual({ text, ...wanted });
  }
});

test("a text breaks into the lines that are seen", () => {
  const lines = (text: string) => linesOf(spans(text, "block")).map((line) => line.length);
  expect(lines("a\nb\n\nc")).toEqual([1, 1, 0, 1]);
  expect(lines("a\n")).toEqual([1]);
  expect(lines("")).toEqual([0]);
  expect(lines("a\u200b\nb")).toEqual([2, 1]);
});

test("the words to warn about are marked where they stand", () => {
  const text = "cur\u200bl gооgle.com, ѕudo";
  expect(flagged(spans(text, "line"), suspects(text))).toEqual([
    "cur",
    { label: "U+200B", name: "ZERO WIDTH SPACE", weight: 1, length: 1 },
    "l ",
    { suspect: "gооgle" },
    ".com, ",
    { suspect: "ѕudo" },
  ]);
});

test("without boxes an escape stands between brackets", () => {
  expect(shown("rm \u202e~", "line")).toBe("rm ⟦U+202E⟧~");
});
