// Where the keyboard's focus goes within an ask.

import type { AskUserRequest } from "../lib/wire";

/** What is asked for by `data-focus` and `data-answer`: the heading, the field, or the control of an answer. */
export type FirstFocus = { focus: "heading" | "field" } | { answer: string };

/** Where the focus goes when a person enters an ask on purpose. */
export function firstFocus(request: AskUserRequest): FirstFocus {
  const { kind, unsafe, choices } = request;
  if (unsafe || kind === "confirm-command") return { focus: "heading" };
  if (kind === "text") return { focus: "field" };
  const first = kind === "yesno" ? "yes" : (choices?.[0]?.id ?? "");
  return { answer: request.default ?? first };
}

/** Finds it in the dialog. */
export function find(dialog: HTMLElement, wanted: FirstFocus): HTMLElement | undefined {
  const all = [...dialog.querySelectorAll<HTMLElement>("[data-focus], [data-answer]")];
  return all.find(({ dataset }) =>
    "answer" in wanted ? dataset["answer"] === wanted.answer : dataset["focus"] === wanted.focus,
  );
}

/**
 * Moves the focus within the answers for an arrow key, or to a choice for its digit. Tells whether the key
 * was for that.
 */
export function moveFocus(dialog: HTMLElement, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const field = document.activeElement?.matches("input, textarea") ?? false;
  if (/^[1-9]$/.test(event.key) && !field) {
    const choice = dialog.querySelector<HTMLElement>(`[data-digit="${event.key}"]`);
    choice?.focus();
    return choice !== null;
  }
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const upright = event.key === "ArrowUp" || event.key === "ArrowDown";
  const group = document.activeElement?.closest(upright ? ".choices" : ".answers, .leave");
  if (step === undefined || !group) {
    // From the filter down into what it found.
    const below = event.key === "ArrowDown" && document.activeElement?.matches('input[type="search"]');
    const first = below ? dialog.querySelector<HTMLElement>(".choices button") : null;
    first?.focus();
    return first !== null;
  }
  const buttons = [...group.querySelectorAll<HTMLElement>("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)]?.focus();
  return true;
}
