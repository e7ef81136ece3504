import { expect, test } from "vitest";
import { around, clock, fill, voiceOf } from "./say";

const english = voiceOf("en");
const french = voiceOf("fr");

test("nought is singular in French only", () => {
  const lines = (n: number) => [english, french].map((voice) => voice.count(voice.words.ask.lines, n));
  expect([0, 1, 2].map(lines)).toEqual([
    ["0 lines", "0 ligne"],
    ["1 line", "1 ligne"],
    ["2 lines", "2 lignes"],
  ]);
});

test("ages are said in their largest unit", () => {
  expect([0, 1, 59, 60, 3599, 3600, 86_399, 172_800].map(english.ago)).toEqual([
    "just now",
    "1 s ago",
    "59 s ago",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
    "2 d ago",
  ]);
  expect([0, 18, 172_800].map(french.ago)).toEqual(["à l’instant", "il y a 18 s", "il y a 2 j"]);
  expect([-5, 0, 9, 581, 3723].map(clock)).toEqual(["0:00", "0:00", "0:09", "9:41", "1:02:03"]);
});

test("filling takes values as they are", () => {
  expect(fill("{n} of {total}", { n: "1", total: "3" })).toBe("1 of 3");
  expect(fill("{a}{b}", { a: "{b}", b: "$&" })).toBe("{b}$&");
  expect(fill("{missing} {", { n: "1" })).toBe("{missing} {");
  expect(around("“{text}”", "text")).toEqual(["“", "”"]);
});
