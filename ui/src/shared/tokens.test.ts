import { expect, test } from "vitest";
import tokens from "./tokens.css?raw";

const sources = import.meta.glob<string>("../**/*.{css,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});

const defined = new Set([...tokens.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));

test("every token that a style names is defined", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(1);
  const missing = Object.entries(sources).flatMap(([path, text]) =>
    [...text.matchAll(/var\((--[\w-]+)/g)]
      .map(([, name]) => name)
      .filter((name) => !defined.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("no style but the tokens' own holds a colour, a size in pixels or a duration", () => {
  const literal = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(|\b\d*\.?\d+(?:px|ms|s)\b/gi;
  const found = Object.entries(sources)
    .filter(([path]) => !path.endsWith("/tokens.css"))
    .flatMap(
      ([path, text]) =>
        styleOf(path, text)
          .match(literal)
          ?.map((it) => `${path}: ${it}`) ?? [],
    );
  expect(found).toEqual([]);
});

/** Gives the style of a file: all of a sheet, and of a component what stands in its `<style>`. */
function styleOf(path: string, text: string): string {
  return path.endsWith(".css") ? text : (/<style[^>]*>([^]*)<\/style>/.exec(text)?.[1] ?? "");
}
