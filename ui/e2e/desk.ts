// A page before a test: opening it, asking, and what was answered.

import { type Locator, type Page, expect } from "@playwright/test";
import "./page/globals";
import type { Asker, Health, NewAsk } from "./page/fake-hub";
import type { asks } from "./page/sample-asks";

export type Name = keyof typeof asks;
type Opening = { view?: "home" | "ask"; pending?: Name[]; theme?: string; lang?: string; font?: string };

export class Desk {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("alertdialog");
  }

  async open({ view = "ask", pending = [], theme = "light", lang = "en", font = "" }: Opening = {}) {
    const query = new URLSearchParams({ theme, lang, font, pending: pending.join(",") });
    await this.page.goto(`/app.html?${query}${view === "ask" ? "#ask" : ""}`);
    if (pending.length > 0) await expect(this.dialog).toBeVisible();
  }

  ask(name: Name, change: Partial<NewAsk> = {}, asker: Asker = {}): Promise<string> {
    const all = { name, change, asker };
    return this.page.evaluate(
      ({ name, change, asker }) => window.hub.ask({ ...window.asks[name], ...change }, asker),
      all,
    );
  }

  health(health: Health): Promise<void> {
    return this.page.evaluate((health) => void (window.hub.health = health), health);
  }

  /** What was answered and cancelled so far. */
  taken(): Promise<{ id: string; value?: string; reason?: string }[]> {
    return this.page.evaluate(() => window.hub.taken);
  }

  /** The values answered so far. */
  async values(): Promise<(string | undefined)[]> {
    return (await this.taken()).map(({ value }) => value);
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole("button", { name, exact: true });
  }

  armed(): Promise<void> {
    return expect(this.dialog).toHaveAttribute("data-armed", "true", { timeout: 3000 });
  }

  /** Lets the hand rest for longer than any clock. */
  rest(): Promise<void> {
    return this.page.waitForTimeout(1100);
  }

  /** Reads the command to its end, as the gate wants. */
  async readToEnd(): Promise<void> {
    await this.dialog.locator(".sheet").evaluate((sheet) => sheet.scrollTo(0, sheet.scrollHeight));
    await expect(this.button("I understand")).not.toHaveAttribute("aria-disabled", "true");
  }

  /** Tabs until the control with that name has the focus. */
  async tabTo(name: string): Promise<void> {
    for (let tabs = 0; tabs < 20; tabs += 1) {
      const focused = await this.page.evaluate(() => document.activeElement?.textContent?.trim());
      if (focused === name) return;
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reached ${name}`);
  }
}
