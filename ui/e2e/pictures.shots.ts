// Takes pictures of every state for people to look at: `npm run shots [-- folder]`, by default a temporary one.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, test } from "@playwright/test";
import "./page/globals";

const folder = process.env["SHOTS"] ?? join(tmpdir(), "hotline-shots");
const looks = ["dark", "light"].flatMap((theme) => ["en", "fr"].map((lang) => ({ theme, lang })));

/** Takes one picture once every clock has run out. */
async function take(page: Page, name: string, fullPage = false): Promise<void> {
  await page.waitForTimeout(1300);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

for (const { theme, lang } of looks) {
  const query = `theme=${theme}&lang=${lang}`;

  test(`gallery ${theme} ${lang}`, async ({ page }) => {
    await page.setViewportSize({ width: 1540, height: 1900 });
    await page.goto(`/gallery.html?${query}`);
    await take(page, `gallery-${theme}-${lang}`, true);
  });

  test(`home ${theme} ${lang}`, async ({ page }) => {
    await page.goto(`/app.html?${query}&pending=text,install,safe,branch,migrate,hidden`);
    await page.evaluate(() => localStorage.setItem("ask.req:3", JSON.stringify({ later: true })));
    await page.evaluate(() => localStorage.setItem("ask.req:1", JSON.stringify({ draft: "x" })));
    await page.reload();
    await page.locator('[data-row="req:2"]').click();
    await take(page, `home-${theme}-${lang}`);
  });

  test(`first run ${theme} ${lang}`, async ({ page }) => {
    await page.setViewportSize({ width: 880, height: 530 });
    await page.goto(`/app.html?${query}`);
    await take(page, `first-run-${theme}-${lang}`);
    await page.getByRole("button", { name: /sample|exemple/ }).click();
    await take(page, `first-run-sample-${theme}-${lang}`);
  });

  test(`ask window ${theme} ${lang}`, async ({ page }) => {
    await page.setViewportSize({ width: 560, height: 506 });
    await page.goto(`/app.html?${query}&pending=hidden#ask`);
    await take(page, `ask-${theme}-${lang}`);
    await page.goto(`/app.html?${query}&pending=install,branch,hidden&again#ask`);
    await take(page, `ask-several-${theme}-${lang}`);
  });

  test(`history and settings ${theme} ${lang}`, async ({ page }) => {
    await page.setViewportSize({ width: 1120, height: 560 });
    await page.goto(`/app.html?${query}`);
    await page.evaluate(() => window.rememberSome());
    await page.locator("nav .history").click();
    await take(page, `history-${theme}-${lang}`);
    await page.getByRole("button", { name: "Clean the build folder" }).click();
    await take(page, `history-open-${theme}-${lang}`);
    await page.locator("nav .settings").click();
    await take(page, `settings-${theme}-${lang}`);
  });
}

for (const width of [320, 360]) {
  test(`narrow ${width}`, async ({ page }) => {
    await page.setViewportSize({ width: 1200, height: 2300 });
    await page.goto(`/gallery.html?theme=light&lang=fr&width=${width}`);
    await take(page, `narrow-${width}-fr`, true);
  });
}

test("DejaVu Sans", async ({ page }) => {
  await page.setViewportSize({ width: 1540, height: 1900 });
  await page.goto("/gallery.html?theme=light&lang=fr&font=dejavu");
  await take(page, "gallery-dejavu-fr", true);
});

test("narrow home, and zoomed to 200 %", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 480 });
  await page.goto("/app.html?theme=light&lang=fr&pending=install,migrate");
  await take(page, "home-720-list");
  await page.locator('[data-row="req:2"]').click();
  await take(page, "home-720-ask");
  await page.setViewportSize({ width: 360, height: 240 });
  await take(page, "home-zoomed-ask");
});

test("forced colours", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/gallery.html?theme=light&lang=en");
  await take(page, "gallery-forced", true);
});
