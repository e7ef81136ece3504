// What each kind of ask is drawn with and called.

import CircleQuestionMark from "@lucide/svelte/icons/circle-question-mark";
import ListChecks from "@lucide/svelte/icons/list-checks";
import OctagonAlert from "@lucide/svelte/icons/octagon-alert";
import SquareTerminal from "@lucide/svelte/icons/square-terminal";
import TextCursorInput from "@lucide/svelte/icons/text-cursor-input";
import type { AskUserRequest, Kind } from "../lib/wire";
import type { Words } from "../lib/words";

export const kindIcon = {
  yesno: CircleQuestionMark,
  choice: ListChecks,
  text: TextCursorInput,
  "confirm-command": SquareTerminal,
} satisfies Record<Kind, unknown>;

/** In a list what executes shows first that it does. */
export function rowIcon(request: AskUserRequest) {
  return request.unsafe ? OctagonAlert : kindIcon[request.kind];
}

export function kindName({ common }: Words, kind: Kind): string {
  const { yesOrNo, choice, text, command } = common;
  return { yesno: yesOrNo, choice, text, "confirm-command": command }[kind];
}

/** The command of a confirm-command: its body, or its title where it has none. */
export function commandOf(request: Pick<AskUserRequest, "title" | "body">): string {
  return request.body || request.title;
}
