// Every kind answered in every window, by pointer and by keyboard alone.

import { expect, test } from "@playwright/test";
import { Desk } from "./desk";

for (const view of ["ask", "home"] as const) {
  test.describe(view, () => {
    test("yes or no, by pointer", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["install"] });
      await desk.armed();
      await desk.button("No").click();
      await expect(page.getByText("Answered", { exact: true })).toBeVisible();
      expect(await desk.values()).toEqual(["no"]);
    });

    test("yes or no, by keyboard", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["install"] });
      await desk.armed();
      await desk.tabTo("No");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await expect.poll(() => desk.values()).toEqual(["yes"]);
    });

    test("choice, by pointer", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["branch"] });
      await desk.armed();
      await desk.dialog.getByRole("button", { name: "release/2.4" }).click();
      await expect.poll(() => desk.values()).toEqual(["release-2.4"]);
    });

    test("choice, by keyboard: a digit goes to it, Enter takes it", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["branch"] });
      await desk.armed();
      await desk.dialog.locator(".sheet").focus();
      await desk.rest();
      await page.keyboard.press("2");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await expect.poll(() => desk.values()).toEqual(["release-2.4"]);
    });

    test("many choices are filtered, and digits type", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["many"] });
      await desk.armed();
      await desk.dialog.getByRole("searchbox").focus();
      await desk.rest();
      await page.keyboard.type("number 11");
      await expect(desk.dialog.locator(".choices button")).toHaveCount(1);
      await page.keyboard.press("Enter");
      expect(await desk.values()).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await page.waitForTimeout(450);
      await page.keyboard.press("Enter");
      await expect.poll(() => desk.values()).toEqual(["pkg-11"]);
    });

    test("text, by pointer", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["text"] });
      await desk.armed();
      await desk.dialog.getByRole("textbox").fill("Retries are new.");
      await page.waitForTimeout(450);
      await desk.button("Send").click();
      await expect.poll(() => desk.values()).toEqual(["Retries are new."]);
    });

    test("text, by keyboard: Shift+Enter breaks, Enter sends", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["text"] });
      await desk.armed();
      await desk.dialog.locator(".sheet").focus();
      await page.keyboard.press("Tab");
      await page.keyboard.type("one");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("two");
      await page.keyboard.press("Enter");
      await expect.poll(() => desk.values()).toEqual(["one\ntwo"]);
    });

    test("command, by pointer: two acts", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["migrate"] });
      await desk.readToEnd();
      await desk.armed();
      await desk.button("I understand").click();
      await expect(desk.dialog).toHaveAttribute("data-step", "2");
      await desk.armed();
      expect(await desk.values()).toEqual([]);
      await desk.button("Run").click();
      await expect.poll(() => desk.values()).toEqual(["run"]);
    });

    test("command, by keyboard: Tab and Space, and Enter does neither", async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view, pending: ["migrate"] });
      await desk.dialog.locator(".sheet").focus();
      await page.keyboard.press("End");
      await expect(desk.button("I understand")).not.toHaveAttribute("aria-disabled", "true");
      await desk.tabTo("I understand");
      await desk.rest();
      await page.keyboard.press("Enter");
      await expect(page.getByText("Enter does nothing here")).toBeVisible();
      expect(await desk.dialog.getAttribute("data-step")).toBe("1");
      await desk.rest();
      await page.keyboard.press("Space");
      await expect(desk.dialog).toHaveAttribute("data-step", "2");
      await expect(desk.dialog.locator("h2")).toBeFocused();
      await page.keyboard.press("Enter");
      await desk.tabTo("Run");
      await desk.rest();
      await page.keyboard.press("Enter");
      await page.waitForTimeout(200);
      expect(await desk.values()).toEqual([]);
      await desk.rest();
      await page.keyboard.press("Space");
      await expect.poll(() => desk.values()).toEqual(["run"]);
    });
  });
}

test("a screen reader's press obeys the clocks at its own time", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  const client = await page.context().newCDPSession(page);
  const press = async () => {
    const { result } = await client.send("Runtime.evaluate", {
      expression: `[...document.querySelectorAll('[data-answer="yes"]')][0]`,
    });
    // A click from a script is not trusted: it never answers.
    await client.send("Runtime.callFunctionOn", {
      objectId: result.objectId ?? "",
      functionDeclaration: "function () { this.click(); }",
    });
  };
  await desk.armed();
  await press();
  await page.waitForTimeout(200);
  expect(await desk.values()).toEqual([]);
});

test("in Home, Enter on a row goes into its ask and L puts it off", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home", pending: ["install", "branch", "text"] });
  await page.locator('[data-row="req:1"]').focus();
  await page.keyboard.press("ArrowDown");
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await page.keyboard.press("l");
  await expect(page.getByRole("group", { name: "Later" })).toContainText("Which branch");
  await page.locator('[data-row="req:3"]').focus();
  await page.keyboard.press("Enter");
  await expect(desk.dialog.getByRole("textbox")).toBeFocused();
});
