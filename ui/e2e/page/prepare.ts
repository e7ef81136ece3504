// What the address of a test's page says: `?theme=dark&lang=fr&font=dejavu&pending=install,branch`.

import type { LanguageSetting, ThemeSetting } from "../../src/lib/protocol";
import type { FakeHub } from "./fake-hub";
import { asks, stranger } from "./sample-asks";

export function prepare(hub: FakeHub): void {
  const query = new URLSearchParams(location.search);
  hub.settings.theme = (query.get("theme") ?? "light") as ThemeSetting;
  hub.settings.language = (query.get("lang") ?? "en") as LanguageSetting;
  if (query.get("font") === "dejavu") {
    document.documentElement.style.setProperty("--font-ui", "DejaVu Sans");
    document.documentElement.style.setProperty("--font-mono", "DejaVu Sans Mono");
  }
  for (const name of query.get("pending")?.split(",").filter(Boolean) ?? []) {
    const ask = asks[name as keyof typeof asks];
    hub.ask(ask, ask.surface_id.startsWith("term:") ? stranger : {});
  }
}
