// Every kind and state of an ask beside each other, for the eye.

import { mount } from "svelte";
import { Page } from "../../src/page.svelte";
import "../../src/shared/tokens.css";
import "../../src/shared/page.css";
import { FakeHub } from "./fake-hub";
import Gallery from "./Gallery.svelte";
import { prepare } from "./prepare";

const hub = new FakeHub();
prepare(hub);
document.documentElement.dataset["theme"] = hub.settings.theme;
document.documentElement.lang = hub.settings.language;
const page = new Page(hub, localStorage);
page.settings = hub.settings;
page.start();
mount(Gallery, { target: document.body, props: { page } });
