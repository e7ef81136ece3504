// Starts the page: the one entry of the window and of the mirror.

import { mount } from "svelte";
import App from "./app.svelte";
import "./shared/tokens.css";
import "./shared/page.css";
import { followTheme } from "./shared/theme";

followTheme(document.documentElement, "system", matchMedia("(prefers-color-scheme: dark)"));
mount(App, { target: document.body });
