import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  // The icon's source lies beside `ui`, not in it.
  server: { fs: { allow: [".."] }, port: 5173, strictPort: true },
  build: {
    target: "safari16",
    // The content policy allows files of our own and no `data:` address.
    assetsInlineLimit: 0,
  },
  // Without `css` a style sheet reads as empty, and the tests of the tokens look into them.
  test: { include: ["src/**/*.test.ts"], css: true },
});
