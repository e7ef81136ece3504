// Nothing moves under a finger: where the controls of both steps are, in all sizes and languages.

import { type Locator, expect, test } from "@playwright/test";
import { words } from "../src/lib/words";
import { Desk } from "./desk";

const SIZES: [number, number][] = [
  [640, 600],
  [560, 506],
  [520, 480],
  [420, 420],
  [360, 380],
  [320, 560],
];

type Box = { x: number; y: number; width: number; height: number };

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("not drawn");
  return box;
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

for (const lang of ["en", "fr"] as const) {
  for (const font of ["", "dejavu"]) {
    for (const [width, height] of SIZES) {
      test(`both steps at ${width} × ${height}, ${lang} ${font}`, async ({ page }) => {
        const { common } = words[lang];
        const desk = new Desk(page);
        await page.setViewportSize({ width, height });
        await desk.open({ pending: ["safe"], lang, font });
        const whole = await boxOf(desk.dialog);
        await desk.armed();
        const [understand, cancel, later] = await Promise.all(
          [common.understand, common.cancel, common.later].map((name) => boxOf(desk.button(name))),
        );
        await desk.button(common.understand).click();
        await expect(desk.dialog).toHaveAttribute("data-step", "2");
        const run = await boxOf(desk.button(common.run));
        expect(await boxOf(desk.button(common.cancel))).toEqual(cancel);
        expect(await boxOf(desk.button(common.later))).toEqual(later);
        expect(await boxOf(desk.dialog)).toEqual(whole);
        for (const before of [understand, cancel, later]) expect(before && overlap(run, before)).toBe(false);
        const back = await boxOf(desk.button(common.back));
        expect(understand && overlap(back, understand)).toBe(false);
        expect(run.y + run.height).toBeLessThanOrEqual(height);
        await desk.health("silent");
        await desk.button(common.run).click();
        await expect(desk.dialog.locator(".hint")).not.toBeEmpty();
        expect(await boxOf(desk.button(common.cancel))).toEqual(cancel);
        for (const button of await desk.dialog.getByRole("button").all()) {
          const cut = await button.evaluate((it) => it.scrollWidth > it.clientWidth + 1);
          expect(cut, (await button.textContent()) ?? "").toBe(false);
        }
      });
    }
  }

  test(`Cancel and Later stay through every kind, ${lang}`, async ({ page }) => {
    const { common } = words[lang];
    const desk = new Desk(page);
    await page.setViewportSize({ width: 560, height: 506 });
    const places: Box[][] = [];
    for (const name of ["install", "branch", "text", "safe", "hidden"] as const) {
      await desk.open({ pending: [name], lang });
      await expect(desk.dialog).toBeVisible();
      places.push(await Promise.all([boxOf(desk.button(common.cancel)), boxOf(desk.button(common.later))]));
    }
    for (const place of places) expect(place).toEqual(places[0]);
  });
}

test("the gate opens when the end of the command was in sight, not before", async ({ page }) => {
  const desk = new Desk(page);
  await page.setViewportSize({ width: 560, height: 400 });
  await desk.open({ pending: ["migrate"] });
  await expect(page.getByText(/Read to the end first: \d+ more lines\./)).toBeVisible();
  await desk.rest();
  await desk.button("I understand").click({ force: true });
  await page.waitForTimeout(200);
  expect(await desk.dialog.getAttribute("data-step")).toBe("1");
  await desk.readToEnd();
  await desk.dialog.locator(".sheet").evaluate((sheet) => sheet.scrollTo(0, 0));
  await expect(page.getByText("Step 1 of 2. Nothing runs yet.")).toBeVisible();
});

test("a command behind the list of a narrow window was not seen", async ({ page }) => {
  const desk = new Desk(page);
  await page.setViewportSize({ width: 720, height: 480 });
  await desk.open({ view: "home" });
  await desk.ask("migrate");
  await page.waitForTimeout(500);
  await page.locator('[data-row="req:1"]').click();
  await expect(page.getByText(/Read to the end first/)).toBeVisible();
  await expect(desk.button("I understand")).toHaveAttribute("aria-disabled", "true");
});

test("at 200 % in the smallest window everything can still be reached", async ({ page }) => {
  const desk = new Desk(page);
  await page.setViewportSize({ width: 360, height: 240 });
  await desk.open({ view: "home", lang: "fr", font: "dejavu" });
  await desk.ask("install");
  await desk.ask("safe");
  await page.locator('[data-row="req:2"]').click();
  await desk.button("J’ai compris").scrollIntoViewIfNeeded();
  await desk.button("Plus tard").scrollIntoViewIfNeeded();
  await desk.armed();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(360);
});
