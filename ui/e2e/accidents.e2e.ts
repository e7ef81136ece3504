// Nobody approves by accident: real keys and clicks, a handful of rounds each.

import { type Page, expect, test } from "@playwright/test";
import { Desk, type Name } from "./desk";

const KINDS: Name[] = ["install", "branch", "text"];
const VIEWS = ["ask", "home"] as const;

/** A person who types lines at 40 ms a key with Enter at their end, and rests between them. */
async function typeLines(page: Page, lines: string[], pause: number): Promise<void> {
  for (const line of lines) {
    await page.keyboard.type(line, { delay: 40 });
    await page.keyboard.press("Enter");
    await page.waitForTimeout(pause);
  }
}

for (const view of VIEWS) {
  for (const name of KINDS) {
    test(`typing lines while ${name} appears in ${view}`, async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view });
      for (const wait of [0, 150, 333]) {
        await Promise.all([
          typeLines(page, ["ls -la", "make test", "git status"], 60),
          page.waitForTimeout(wait).then(() => desk.ask(name)),
        ]);
      }
      expect(await desk.taken()).toEqual([]);
    });

    test(`typing lines with 4 s between them while ${name} stands in ${view}`, async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view });
      await Promise.all([
        typeLines(page, ["ls a", "cargo test", "y es"], 4000),
        page.waitForTimeout(2500).then(() => desk.ask(name)),
      ]);
      expect(await desk.taken()).toEqual([]);
    });

    test(`holding Enter, then Space, from before ${name} in ${view}`, async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view });
      for (const key of ["Enter", "Space"]) {
        await page.keyboard.down(key);
        await desk.ask(name);
        for (let repeats = 0; repeats < 50; repeats += 1) {
          await page.keyboard.down(key);
          await page.waitForTimeout(30);
        }
        await page.keyboard.up(key);
      }
      expect(await desk.taken()).toEqual([]);
    });
  }

  for (const name of KINDS) {
    test(`typing lines while ${name} takes the focus itself, in ${view}`, async ({ page }) => {
      const desk = new Desk(page);
      await desk.open({ view });
      for (const wait of [80, 210, 470]) {
        await Promise.all([
          typeLines(page, ["ls -la", "make test 2", "git status"], 60),
          page.waitForTimeout(wait).then(async () => {
            const id = await desk.ask(name);
            await page.evaluate((id) => window.hub.open(id), id);
          }),
        ]);
      }
      expect(await desk.taken()).toEqual([]);
    });
  }

  test(`clicking 8 times a second where Yes will be, in ${view}`, async ({ page }) => {
    const desk = new Desk(page);
    await desk.open({ view, pending: ["install"] });
    const place = await desk.button("Yes").boundingBox();
    if (!place) throw new Error("no button");
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    await page.evaluate(() =>
      window.hub.end("req:1", { action: "timeout" }, { channel: "system", who: "timeout" }),
    );
    // Nobody's finger waits for the browser to have taken the click before.
    const clicks: Promise<void>[] = [];
    await Promise.all([
      (async () => {
        for (let n = 0; n < 40; n += 1) {
          clicks.push(page.mouse.click(x, y));
          await page.waitForTimeout(125);
        }
        await Promise.all(clicks);
      })(),
      page.waitForTimeout(700).then(() => desk.ask("install")),
      page.waitForTimeout(2000).then(() => desk.ask("install")),
    ]);
    expect(await desk.taken()).toEqual([]);
  });

  test(`a triple click on the first of three answers one, in ${view}`, async ({ page }) => {
    const desk = new Desk(page);
    await desk.open({ view, pending: ["install", "install", "install"] });
    for (const answered of [1, 2]) {
      await desk.armed();
      const place = await desk.button("Yes").boundingBox();
      if (!place) throw new Error("no button");
      await page.mouse.click(place.x + 20, place.y + 14, { clickCount: 3, delay: 40 });
      await page.waitForTimeout(1500);
      expect((await desk.taken()).map(({ id }) => id)).toEqual(["req:1", "req:2"].slice(0, answered));
    }
  });
}

test("the next ask is where the first was, hollow, and a click that was under way ends nothing", async ({
  page,
}) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install", "install"] });
  await desk.armed();
  await desk.button("Yes").hover();
  await page.mouse.down();
  await page.evaluate(() =>
    window.hub.end("req:1", { action: "ok", value: "no" }, { channel: "telegram", who: "@m" }),
  );
  await expect(desk.dialog).toHaveAttribute("data-request", "req:2");
  await page.mouse.up();
  await page.waitForTimeout(300);
  expect(await desk.taken()).toEqual([]);
});

test("clicks that waited behind a blocked page are judged by when they were made", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await desk.armed();
  const place = await desk.button("Yes").boundingBox();
  if (!place) throw new Error("no button");
  // The ask is replaced, and before anything else runs the page stands still.
  const blocked = page.evaluate(() => {
    window.hub.end("req:1", { action: "ok", value: "no" }, { channel: "telegram", who: "@m" });
    window.hub.ask(window.asks.install);
    const until = performance.now() + 2000;
    while (performance.now() < until);
  });
  await page.waitForTimeout(200);
  const clicks = Promise.all([1, 2, 3].map(() => page.mouse.click(place.x + 20, place.y + 14)));
  await Promise.all([blocked, clicks]);
  await page.waitForTimeout(800);
  expect(await desk.taken()).toEqual([]);
});

test("a click right after the window was resized or got the focus counts for nothing", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["install"] });
  await desk.armed();
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.waitForTimeout(100);
  await desk.button("Yes").click();
  await expect(page.getByText("Too early: nothing was sent.")).toBeVisible();
  await desk.armed();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await desk.button("Yes").click();
  await page.waitForTimeout(200);
  expect(await desk.taken()).toEqual([]);
  await desk.armed();
  await desk.button("Yes").click();
  await expect.poll(() => desk.values()).toEqual(["yes"]);
});

test("Enter during composition sends nothing", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["text"] });
  await desk.armed();
  await desk.dialog.getByRole("textbox").click();
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
  await client.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  await client.send("Input.insertText", { text: "日本" });
  await page.waitForTimeout(300);
  expect(await desk.taken()).toEqual([]);
  await expect(desk.dialog.getByRole("textbox")).toHaveValue("日本");
});

test("a paste with a line break is text, not an answer", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ pending: ["text"] });
  await desk.armed();
  await page.evaluate(() => navigator.clipboard.writeText("one\ntwo\n"));
  await desk.dialog.getByRole("textbox").click();
  await page.keyboard.press("Control+V");
  await page.waitForTimeout(500);
  expect(await desk.taken()).toEqual([]);
  await expect(desk.dialog.getByRole("textbox")).toHaveValue("one\ntwo\n");
});

test("the first key within a second of going in locks Enter until Tab", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open({ view: "home", pending: ["install", "text"] });
  await page.locator('[data-row="req:2"]').focus();
  await page.keyboard.press("Enter");
  await expect(desk.dialog.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("make test", { delay: 40 });
  await page.waitForTimeout(1500);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Press Tab, then answer.")).toBeVisible();
  expect(await desk.taken()).toEqual([]);
  await desk.tabTo("Send");
  await page.waitForTimeout(500);
  await page.keyboard.press("Enter");
  await expect.poll(() => desk.values()).toEqual(["make test"]);
});
