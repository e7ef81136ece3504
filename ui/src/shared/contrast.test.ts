import { describe, expect, test } from "vitest";
import tokens from "./tokens.css?raw";

/** What is written or drawn, and every ground it may stand on. */
type Pairs = Record<string, string[]>;

const ansi = ["dim", "red", "green", "yellow", "blue", "magenta", "cyan"];
const text: Pairs = {
  text: ["bg", "surface", "sunken", "hover", "selected"],
  "text-2": ["bg", "surface", "sunken", "hover", "selected"],
  "text-3": ["bg", "surface", "sunken", "hover"],
  "on-accent": ["accent", "accent-hover"],
  link: ["bg", "surface", "sunken", "selected"],
  "on-wait": ["wait"],
  "wait-text": ["wait-bg", "bg", "surface", "selected"],
  ok: ["bg", "surface"],
  "on-danger": ["danger", "danger-hover"],
  "danger-text": ["danger-bg", "bg", "surface", "sunken", "selected"],
  "term-fg": ["term-bg"],
  ...Object.fromEntries(ansi.map((name) => [`ansi-${name}`, ["term-bg"]])),
};
const edges: Pairs = {
  "border-control": ["bg", "surface", "sunken"],
  focus: ["bg", "surface", "sunken", "selected"],
  "danger-border": ["bg", "surface", "term-bg"],
  "wait-border": ["surface", "wait-bg", "bg"],
  danger: ["bg", "surface"],
  accent: ["bg", "surface"],
};

describe.each(["light", "dark"])("in the %s theme", (theme) => {
  const colours = coloursOf(theme);

  test("text reads at 4.5 to 1 on every ground it may stand on", () => {
    expect(below(4.5, text, colours)).toEqual([]);
  });

  test("edges that carry meaning stand out at 3 to 1", () => {
    expect(below(3, edges, colours)).toEqual([]);
  });
});

/** Reads the colours that the sheet sets for a theme, as `#rrggbb` by name. */
function coloursOf(theme: string): Map<string, string> {
  const block = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(tokens)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = "", hex = ""]) => [name, hex]),
  );
}

/** Lists the pairs whose contrast is under `least`; a colour that the theme lacks is one too. */
function below(least: number, pairs: Pairs, colours: Map<string, string>): string[] {
  return Object.entries(pairs).flatMap(([front, grounds]) =>
    grounds
      .map((ground) => ({ ground, ratio: contrast(colours.get(front), colours.get(ground)) }))
      .filter(({ ratio }) => !(ratio >= least))
      .map(({ ground, ratio }) => `${front} on ${ground}: ${ratio.toFixed(2)}`),
  );
}

/** Gives the contrast of two colours after WCAG 2, from 1 to 21; not a number when one is missing. */
function contrast(one = "", other = ""): number {
  const [dark = NaN, light = NaN] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
