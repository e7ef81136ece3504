// What an ask is to be warned about before it is read.

import { hiddenIn, suspects } from "../lib/display";
import type { AskUserRequest } from "../lib/wire";
import { commandOf } from "./kinds";

/** How many hidden characters are made visible, words mix alphabets; whether a command holds right-to-left letters. */
export type Warnings = { hidden: number; mixed: number; rightToLeft: boolean };

export function warningsOf(request: AskUserRequest): Warnings {
  const { title, body = "", agent_id = "", choices = [], kind } = request;
  const lines = [title, agent_id, request.surface_id, ...choices.flatMap(textsOf)];
  const hidden = lines.reduce((sum, line) => sum + hiddenIn(line, "line"), hiddenIn(body, "block"));
  const words = [...lines, body].flatMap(suspects);
  const command = kind === "confirm-command" ? suspects(commandOf(request)) : [];
  return {
    hidden,
    mixed: words.filter((word) => word.why === "mixedAlphabets").length,
    rightToLeft: command.some((word) => word.why === "rightToLeft"),
  };
}

/** A label that is the id is shown once. */
function textsOf({ id, label }: { id: string; label: string }): string[] {
  return label === id ? [id] : [id, label];
}
