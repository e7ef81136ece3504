// Which theme the page shows, and keeping it after the system.

import type { ThemeSetting } from "../lib/protocol";

/** What is drawn: the value of `data-theme`. */
export type Theme = "light" | "dark";

/** The part of a media query that tells whether the system is dark, and when that changes. */
export type Darkness = Pick<MediaQueryList, "matches" | "addEventListener" | "removeEventListener">;

/** Gives the theme for a setting on a system that is dark or not. */
export function themeFor(setting: ThemeSetting, systemIsDark: boolean): Theme {
  switch (setting) {
    case "light":
    case "dark":
      return setting;
    case "system":
      return systemIsDark ? "dark" : "light";
  }
}

/** Marks `root` with the theme, now and whenever the system changes. Gives the function that stops it. */
export function followTheme(root: HTMLElement, setting: ThemeSetting, system: Darkness): () => void {
  const draw = () => {
    root.dataset["theme"] = themeFor(setting, system.matches);
  };
  draw();
  system.addEventListener("change", draw);
  return () => system.removeEventListener("change", draw);
}
