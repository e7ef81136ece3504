import { expect, test } from "vitest";
import { type Darkness, followTheme, themeFor } from "./theme";

test("a chosen theme stands against the system", () => {
  expect(themeFor("light", true)).toBe("light");
  expect(themeFor("dark", false)).toBe("dark");
});

test("without a choice the system decides", () => {
  expect(themeFor("system", true)).toBe("dark");
  expect(themeFor("system", false)).toBe("light");
});

test("the page changes with the system until it is told to stop", () => {
  const root = { dataset: {} } as HTMLElement;
  const system = Object.assign(new EventTarget(), { matches: false });
  const turn = (dark: boolean) => {
    system.matches = dark;
    system.dispatchEvent(new Event("change"));
  };

  const stop = followTheme(root, "system", system as unknown as Darkness);
  expect(root.dataset).toEqual({ theme: "light" });
  turn(true);
  expect(root.dataset).toEqual({ theme: "dark" });
  stop();
  turn(false);
  expect(root.dataset).toEqual({ theme: "dark" });
});
