// What becomes of an ask besides an answer of one's own.

import { type Page, expect, test } from "@playwright/test";
import { Desk } from "./desk";

test("somebody else was faster", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await page.evaluate(() =>
    window.hub.end("req:1", { action: "ok", value: "yes" }, { channel: "telegram", who: "@mireille" }),
  );
  await expect(page.getByText(/Answered by Telegram \(@mireille\) .*: Yes/)).toBeVisible();
  await expect(desk.dialog).toHaveCount(0);
});

test("withdrawn, and the next comes a second later with its own clock", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install", "branch"] });
  await desk.armed();
  await page.evaluate(() =>
    window.hub.end(
      "req:1",
      { action: "cancel", reason: "asker disconnected" },
      { channel: "system", who: "hub" },
    ),
  );
  await expect(page.getByText("Withdrawn: the agent went away.")).toBeVisible();
  await page.waitForTimeout(300);
  await expect(desk.dialog).toHaveCount(0, { timeout: 1 });
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await expect(desk.dialog).toHaveAttribute("data-armed", "false");
});

test("timed out, and the strip goes by itself unless a hand rests on it", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await page.evaluate(() =>
    window.hub.end("req:1", { action: "timeout" }, { channel: "system", who: "timeout" }),
  );
  const strip = page.getByText("Timed out. Nothing was answered for you.");
  await strip.hover();
  await page.waitForTimeout(4500);
  await expect(strip).toBeVisible();
  await page.mouse.move(0, 700);
  await expect(strip).toBeHidden({ timeout: 6000 });
});

test("out of reach: the ask stays with its draft, and says so", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["text"] });
  await desk.armed();
  await desk.dialog.getByRole("textbox").fill("Retries are new.");
  await desk.rest();
  await desk.health("unreachable");
  await desk.dialog.getByRole("textbox").press("Enter");
  await expect(page.getByRole("alert")).toContainText("The hub does not answer.");
  await expect(desk.dialog.getByRole("textbox")).toHaveValue("Retries are new.");
  await desk.health("well");
  await desk.armed();
  await desk.dialog.getByRole("textbox").press("Enter");
  await expect.poll(() => desk.values()).toEqual(["Retries are new."]);
});

test("an answer that could not be written down was not sent", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await desk.armed();
  await desk.health("full");
  await desk.button("Yes").click();
  await expect(page.getByRole("alert")).toContainText("Your answer could not be saved");
  expect(await desk.taken()).toEqual([]);
});

test("while it is on its way everything is busy, and a second press does nothing", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await desk.armed();
  await desk.health("silent");
  await desk.button("Yes").click();
  await expect(page.getByText("Sending…")).toBeVisible();
  await page.waitForTimeout(600);
  await desk.dialog.locator('[data-answer="no"]').click({ force: true });
  const answers = await page.evaluate(
    () => window.hub.calls.filter(({ method }) => method === "agent.ask_answer").length,
  );
  expect(answers).toBe(1);
});

test("an empty text says why, and sends nothing", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["text"] });
  await desk.armed();
  await desk.button("Send").click();
  await expect(page.getByText("Write an answer, or choose Cancel.")).toBeVisible();
  expect(await desk.taken()).toEqual([]);
});

test("cancelling takes a reason, or none", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install", "branch"] });
  await desk.armed();
  const before = await desk.button("Cancel").boundingBox();
  await desk.button("Cancel").click();
  const field = desk.dialog.getByRole("textbox", { name: "Reason (optional)" });
  await expect(field).toBeFocused();
  expect(await desk.button("Cancel").boundingBox()).toEqual(before);
  await page.waitForTimeout(1100);
  await field.pressSequentially("not now", { delay: 20 });
  await field.press("Enter");
  await expect.poll(() => desk.taken()).toEqual([{ id: "req:1", reason: "not now" }]);
  await expect(page.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await desk.armed();
  await desk.button("Cancel").click();
  await desk.armed();
  await desk.button("Cancel question").click();
  await expect.poll(async () => (await desk.taken()).at(-1)).toEqual({ id: "req:2" });
});

test("Later and a reload keep the draft; the ask comes back unarmed", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home", pending: ["text", "install"] });
  await desk.dialog.getByRole("textbox").fill("half an answer");
  await page.keyboard.press("Escape");
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await expect(page.getByRole("group", { name: "Later" })).toContainText("Draft");
  await page.reload();
  await page.getByRole("option", { name: /changelog/ }).click();
  await expect(desk.dialog.getByRole("textbox")).toHaveValue("half an answer");
  expect(await desk.dialog.getAttribute("data-armed")).toBe("false");
  expect(await desk.taken()).toEqual([]);
});

test("two minutes after the first step it starts over, and says why", async ({ page }) => {
  await page.clock.install();
  const desk = new Desk(page);
  await desk.open({ pending: ["safe"] });
  await page.clock.runFor(2000);
  await desk.button("I understand").click();
  await page.clock.runFor(100);
  await expect(desk.dialog).toHaveAttribute("data-step", "2");
  await page.clock.runFor(121_000);
  await expect(desk.dialog).toHaveAttribute("data-step", "1");
  await expect(page.getByRole("alert")).toHaveText("Two minutes passed. Read it again to continue.");
});

test("the hub wants the first step again", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["safe"] });
  await desk.armed();
  await desk.button("I understand").click();
  await expect(desk.dialog).toHaveAttribute("data-step", "2");
  await page.evaluate(() => window.hub.forgetAcks());
  await desk.armed();
  await desk.button("Run").click();
  await expect(desk.dialog).toHaveAttribute("data-step", "1");
  expect(await desk.taken()).toEqual([]);
});

test("a notification's click goes to its ask, also one that was put off", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install", "branch"] });
  await page.evaluate(() => window.hub.open("req:2"));
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await expect(desk.dialog.locator('[data-answer="main"]')).toBeFocused();
});

/** The heights that the page wanted of its window. */
function fits(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    window.hub.calls
      .filter(({ method }) => method === "window.fit")
      .map(({ params }) => (params as { height: number }).height),
  );
}

test("the window is as high as its ask, and goes when there is none", async ({ page }) => {
  const desk = new Desk(page);
  await page.setViewportSize({ width: 560, height: 340 });
  await desk.open({ pending: ["install"] });
  await expect.poll(async () => (await fits(page)).at(-1)).toBeGreaterThan(150);
  await desk.armed();
  await desk.button("Later").click();
  await expect.poll(async () => (await fits(page)).at(-1)).toBe(0);
});

test("the window keeps its height while the next ask is still to come", async ({ page }) => {
  const desk = new Desk(page);
  await page.setViewportSize({ width: 560, height: 340 });
  await desk.open({ pending: ["install", "hidden"] });
  await desk.armed();
  const before = await fits(page);
  await page.evaluate(() =>
    window.hub.end("req:1", { action: "timeout" }, { channel: "system", who: "timeout" }),
  );
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await desk.armed();
  const after = (await fits(page)).slice(before.length);
  expect(after.length).toBeGreaterThan(0);
  expect(Math.min(...after)).toBeGreaterThan(before.at(-1) ?? Infinity);
});
