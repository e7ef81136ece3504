// What is read, by eyes and by screen readers: safe text, names and roles, no serious finding of axe.

import AxeBuilder from "@axe-core/playwright";
import { type Page, expect, test } from "@playwright/test";
import { classTests } from "../src/lib/display";
import { Desk, type Name } from "./desk";

const ALL: Name[] = ["install", "branch", "many", "text", "migrate", "hidden", "safe", "untitled", "nasty"];

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing serious in any ask, ${theme}`, async ({ page }) => {
    // Half of a change of colours is no colour of ours.
    await page.emulateMedia({ reducedMotion: "reduce" });
    const desk = new Desk(page);
    for (const name of ALL) {
      await desk.open({ pending: [name], theme });
      expect(await seriousFindings(page), `${name}, not armed`).toEqual([]);
      await desk.armed();
      expect(await seriousFindings(page), name).toEqual([]);
    }
  });

  test(`axe finds nothing serious in any page and state, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const desk = new Desk(page);
    await desk.open({ view: "home", theme });
    await page.evaluate(() => window.rememberSome());
    expect(await seriousFindings(page), "first run").toEqual([]);
    await page.getByRole("button", { name: "Show a sample question" }).click();
    expect(await seriousFindings(page), "sample").toEqual([]);
    await page.locator("nav .history").click();
    await page.getByRole("button", { name: "Clean the build folder" }).click();
    expect(await seriousFindings(page), "history").toEqual([]);
    await page.locator("nav .settings").click();
    expect(await seriousFindings(page), "settings").toEqual([]);

    await desk.open({ view: "home", pending: ["install", "branch", "safe"], theme });
    await desk.armed();
    await page.locator('[data-row="req:2"]').focus();
    await page.keyboard.press("l");
    expect(await seriousFindings(page), "later").toEqual([]);
    await page.locator('[data-row="req:1"]').click();
    await desk.armed();
    await desk.button("Cancel").click();
    expect(await seriousFindings(page), "cancelling").toEqual([]);
    await page.locator('[data-row="req:3"]').click();
    await desk.armed();
    await desk.button("I understand").click();
    await desk.armed();
    expect(await seriousFindings(page), "second step").toEqual([]);
    await desk.health("unreachable");
    await desk.button("Run").click();
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await seriousFindings(page), "offline").toEqual([]);
    await desk.health("silent");
    await desk.armed();
    await desk.button("Run").click();
    expect(await seriousFindings(page), "busy").toEqual([]);
  });
}

for (const view of ["ask", "home"] as const) {
  test(`no hidden character reaches the page unescaped, in ${view}`, async ({ page }) => {
    const desk = new Desk(page);
    await desk.open({ view, pending: ["nasty", "hidden"] });
    const read = () => page.locator("body").evaluate((body) => body.textContent ?? "");
    for (const id of ["req:1", "req:2"]) {
      await page.locator(`[data-row="${id}"]`).click();
      await expect(desk.dialog).toHaveAttribute("data-request", id);
      const hidden = [...(await read())].filter((c) => c !== "\n" && classTests.hidden(c));
      expect(hidden).toEqual([]);
    }
    await expect(desk.dialog.locator("code .escape").first()).toHaveText("space×480");
    await expect(desk.dialog.locator(".escape[title='RIGHT-TO-LEFT OVERRIDE']").first()).toBeVisible();
    await expect(page.getByText("4 hidden characters are made visible as")).toBeVisible();
  });
}

test("markup is text: no element is made of it, and no rule of the page is broken", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  // The browser's own request, for which the page has nothing.
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const desk = new Desk(page);
  await desk.open({ pending: ["nasty"] });
  await expect(desk.dialog).toContainText("<img src=x onerror=alert(1)> {{7*7}}");
  expect(await page.locator("img, script:not([src])").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a command is shown in the order in which it runs", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open();
  await desk.ask("safe", { body: 'rm "א" -rf "ב" ' });
  const lefts = await desk.dialog.locator("code").evaluate((code) => {
    const texts: Text[] = [];
    const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) texts.push(walk.currentNode as Text);
    const range = document.createRange();
    return texts.flatMap((text) =>
      Array.from({ length: text.length }, (_, at) => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      }),
    );
  });
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
  await expect(page.getByText("Right-to-left letters are shown in the order of execution.")).toBeVisible();
});

test("Copy gives the exact bytes", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["hidden"] });
  await desk.dialog.getByRole("button", { name: "Copy" }).click();
  await expect(desk.dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  const [copied, sent] = await page.evaluate(async () => [
    await navigator.clipboard.readText(),
    window.asks.hidden.body,
  ]);
  expect(copied).toBe(sent);
});

test("a dialog is named by place, kind and title, and announced once", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home", pending: ["install"] });
  await expect(desk.dialog).toHaveAccessibleName(/^checkout.*“claude:1”.*Yes or no Run install\?$/s);
  const announced = page.getByRole("status").filter({ hasText: "Run install?" });
  await expect(announced).toHaveCount(1);
  await desk.open({ pending: ["migrate"] });
  await expect(desk.dialog).toHaveAccessibleDescription(/This will execute on your machine/);
  await expect(desk.dialog.locator("h2")).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "Reset the staging" })).toHaveCount(0);
});

test("Tab goes round in the window of asks, in reading order", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await expect(desk.dialog.locator("h2")).toBeFocused();
  const stops: string[] = [];
  for (let tabs = 0; tabs < 6; tabs += 1) {
    await page.keyboard.press("Tab");
    stops.push(
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.classList.contains("sheet") ? "sheet" : (activeElement?.textContent ?? "");
      }),
    );
  }
  expect(stops.map((stop) => stop.trim())).toEqual(["Cancel", "Later", "No", "Yes", "sheet", "Cancel"]);
});

test("an ask that comes takes the focus from nothing", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home" });
  await page.locator("nav .needs").focus();
  await desk.ask("text");
  await desk.armed();
  await expect(page.locator("nav .needs")).toBeFocused();
});

test("without motion nothing moves, and the line is whole at once", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const desk = new Desk(page);
  await desk.open({ pending: ["hidden"] });
  const line = desk.dialog.locator(".line");
  const [whole, width] = await line.evaluate((it) => [
    it.getBoundingClientRect().width,
    it.parentElement?.getBoundingClientRect().width,
  ]);
  expect(whole).toBe(width);
});
