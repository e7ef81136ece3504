// Builds the tests' pages, with the fake hub, away from what is shipped.

import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const pages = resolve(import.meta.dirname, "page");

export default defineConfig({
  root: pages,
  plugins: [svelte({ configFile: false })],
  build: {
    target: "safari16",
    assetsInlineLimit: 0,
    outDir: join(tmpdir(), "hotline-ui-e2e"),
    emptyOutDir: true,
    rolldownOptions: { input: ["app.html", "gallery.html"].map((page) => join(pages, page)) },
  },
  preview: {
    port: 4173,
    strictPort: true,
    // The policy of the app's own windows.
    headers: {
      "Content-Security-Policy":
        "default-src 'self'; connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
    },
  },
});
