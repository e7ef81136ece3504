// The pages of Home.

import { expect, test } from "@playwright/test";
import { Desk } from "./desk";

test("the sample is answered like any ask, and goes to no agent", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home" });
  await page.getByRole("button", { name: "Show a sample question" }).click();
  await desk.armed();
  await desk.button("Yes").click();
  await expect(page.getByText("Answered. It went to no agent.")).toBeVisible();
  const methods = await page.evaluate(() => window.hub.calls.map(({ method }) => method));
  expect(methods.filter((method) => method.startsWith("agent."))).toEqual([]);
});

test("the line that connects an agent is copied as it stands", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home", lang: "fr" });
  await page.getByRole("button", { name: "Copier" }).click();
  await expect(page.getByRole("button", { name: "Copié" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'ht ask yesno --title "Shall I begin?"',
  );
});

test("the history is searched, filtered, opened and exported", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home" });
  await page.evaluate(() => window.rememberSome());
  await page.locator("nav .history").click();
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(6);
  await page.getByRole("searchbox", { name: "Search" }).fill("install claude");
  await expect(rows).toHaveCount(2);
  await page.getByText("Answered", { exact: true }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole("button", { name: "Export…" }).click();
  await expect(page.getByText(/Exported to \/home\/me\/hotline-.*\.jsonl/)).toBeVisible();
  const [saved] = await page.evaluate(() => window.hub.saved);
  const lines = (saved ?? "").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { title: string }).title)).toEqual(["Run install?"]);
  await page.getByRole("searchbox", { name: "Search" }).fill("nothing like it");
  await expect(page.getByText("No question matches.")).toBeVisible();
});

test("an ask that ends while one looks at the history appears in it", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home", pending: ["install"] });
  await page.locator("nav .history").click();
  await expect(page.getByRole("cell", { name: "Waiting" })).toBeVisible();
  await page.evaluate(() =>
    window.hub.end("req:1", { action: "ok", value: "no" }, { channel: "cli", who: "me" }),
  );
  await expect(page.getByRole("cell", { name: "No", exact: true })).toBeVisible();
  await expect(page.getByRole("cell", { name: "ht · me" })).toBeVisible();
});

test("settings change what is seen at once", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home" });
  await page.locator("nav .settings").click();
  await page.getByText("Dark", { exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByText("Français").click();
  await expect(page.getByRole("heading", { name: "Réglages" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await page.getByRole("button", { name: "Suspendre 1 heure" }).click();
  await expect(page.getByText(/Suspendues jusqu’à/)).toBeVisible();
  await page.getByRole("button", { name: "Rétablir" }).click();
  await page.getByRole("switch", { name: /Montrer la question/ }).click();
  await expect.poll(() => page.evaluate(() => window.hub.settings.notification_content)).toBe(true);
  await desk.health("full");
  await page.getByRole("switch", { name: /premier plan/ }).click();
  await expect(page.getByRole("alert")).toBeVisible();
});

test("the theme follows the system", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  const desk = new Desk(page);
  await desk.open({ view: "home", theme: "system" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});
