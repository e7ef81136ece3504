import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

const tauri = {
  group: ["@tauri-apps/*"],
  message: "Only src/lib/backend may speak to Tauri; go through the Backend type.",
};
const topics = {
  regex: "(^|/)(asks|panes|mesh|history|settings)(/|$)",
  message: "What is shared knows no topic: move it into the topic, or pass it in.",
};

export default ts.config(
  { ignores: ["dist/", "test-results/", "src/lib/wire.ts", "src/lib/words.ts"] },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser } } },
  { rules: { eqeqeq: "error", "svelte/no-at-html-tags": "error" } },
  { ignores: ["src/lib/backend/**"], rules: { "no-restricted-imports": ["error", { patterns: [tauri] }] } },
  {
    files: ["src/shared/**"],
    rules: { "no-restricted-imports": ["error", { patterns: [tauri, topics] }] },
  },
);
