// Shows the page that the window's address asks for: `#ask`, or without it Home.

import { mount } from "svelte";
import App from "./App.svelte";
import type { Backend } from "./lib/backend";
import { Page } from "./page.svelte";
import "./shared/tokens.css";
import "./shared/page.css";
import { followTheme } from "./shared/theme";

export function start(backend: Backend): void {
  followTheme(document.documentElement, "system", matchMedia("(prefers-color-scheme: dark)"))();
  const page = new Page(backend, localStorage);
  page.start();
  mount(App, { target: document.body, props: { page, view: location.hash === "#ask" ? "ask" : "home" } });
}
