// The tests of the page in a real browser, over a fake hub; `npm run shots` takes its pictures the same way.

import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  reporter: [["list"]],
  timeout: 40_000,
  use: {
    baseURL: "http://localhost:4173",
    viewport: { width: 1180, height: 720 },
    browserName: "chromium",
    launchOptions: {
      executablePath: "/usr/bin/chromium",
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    permissions: ["clipboard-read", "clipboard-write"],
  },
  projects: [
    { name: "tests", testMatch: "*.e2e.ts" },
    { name: "shots", testMatch: "*.shots.ts" },
  ],
  webServer: {
    command: "vite build --config e2e/vite.config.ts && vite preview --config e2e/vite.config.ts",
    url: "http://localhost:4173/app.html",
    reuseExistingServer: false,
  },
});
