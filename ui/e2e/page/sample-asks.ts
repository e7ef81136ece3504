// Asks as agents send them; their words stay in the agents' language.

import type { Asker, NewAsk } from "./fake-hub";

export const stranger: Asker = {
  pid: 48214,
  program: "ht",
  parent_pid: 48213,
  parent_program: "/usr/bin/python3",
  cwd: "/home/me/src/thumbs",
  terminal: "pts/3",
};

const migration = [
  "set -euo pipefail",
  "export PGHOST=db.staging.internal PGUSER=deploy",
  "psql -c 'DROP SCHEMA public CASCADE; CREATE SCHEMA public;'",
  "curl -fsS https://backups.internal/staging/2026-03.sql.zst \\",
  "  | zstd -d \\",
  "  | psql --single-transaction -v ON_ERROR_STOP=1",
  "psql -c 'ANALYZE;'",
  "npm run migrate -- --env staging",
  "npm run seed -- --only feature-flags",
  "echo done",
].join("\n");

export const asks = {
  install: {
    kind: "yesno",
    title: "Run install?",
    body: "package-lock.json changed since the last install: 14 packages added, 3 removed.\nWithout it the test run below fails.",
    surface_id: "checkout",
    agent_id: "claude:1",
    age: 130,
  },
  branch: {
    kind: "choice",
    title: "Which branch should the fix go to?",
    body: "Both contain the regression. main is frozen until Thursday.",
    surface_id: "checkout",
    agent_id: "claude:1",
    age: 40,
    choices: [
      { id: "main", label: "main" },
      { id: "release-2.4", label: "release/2.4 (supported until March)" },
      { id: "new", label: "A new branch from main" },
    ],
  },
  many: {
    kind: "choice",
    title: "Which package shall I publish first?",
    surface_id: "docs",
    agent_id: "pi",
    age: 12,
    choices: Array.from({ length: 12 }, (_, n) => ({ id: `pkg-${n + 1}`, label: `package number ${n + 1}` })),
  },
  text: {
    kind: "text",
    title: "What should the changelog say about the retry change?",
    body: "One or two sentences, for people who upgrade.",
    surface_id: "docs",
    agent_id: "pi",
    age: 360,
  },
  migrate: {
    kind: "confirm-command",
    title: "Reset the staging database and load the March snapshot",
    body: migration,
    surface_id: "checkout",
    agent_id: "claude:1",
    age: 18,
    timeout_ms: 600_000,
    unsafe: true,
  },
  hidden: {
    kind: "confirm-command",
    title: "Clean the build folder",
    body: `git clean -n${" ".repeat(480)}; rm -rf ~/src\nls \u202e~ fr- mr\u202c\necho \u200bdone`,
    surface_id: "term:pts/3",
    agent_id: "cleaner",
    age: 4,
    unsafe: true,
  },
  safe: {
    kind: "confirm-command",
    title: "Run the integration tests",
    body: "cargo test -p hub --test integration",
    surface_id: "checkout",
    agent_id: "codex",
    age: 61,
  },
  untitled: {
    kind: "confirm-command",
    title: "git push --force origin main",
    surface_id: "checkout",
    agent_id: "codex",
    age: 3,
    unsafe: true,
  },
  nasty: {
    kind: "choice",
    title: "Open example.сом\u200b or \u202egnp.exe?",
    body: "<img src=x onerror=alert(1)> {{7*7}} \u001b[2K\tend\u00ad",
    surface_id: "term:pts/9",
    agent_id: "Sys\u3164tem",
    age: 3,
    unsafe: true,
    choices: [
      { id: "a\u200b", label: "Yes\u2060" },
      { id: "b", label: "<b>No</b>" },
    ],
  },
} satisfies Record<string, NewAsk>;
