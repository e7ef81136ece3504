// The window of asks: as high as its ask, and Tab stays in it.

import type { Attachment } from "svelte/attachments";

/**
 * Tells how high the window has to be for its ask to be seen whole; 0 when it shows nothing. It stays as it is while
 * the next ask is still to come: under a hand that goes on clicking there would be another window, or none.
 */
export function wantedHeight(tell: (height: number) => void, comes: () => boolean): Attachment<HTMLElement> {
  return (main) => {
    let told: number | undefined;
    const measure = () => {
      const ask = main.querySelector<HTMLElement>(".ask");
      if (!ask && comes()) return;
      const strip = main.querySelector<HTMLElement>(".strip")?.offsetHeight ?? 0;
      const sheet = ask?.querySelector<HTMLElement>(".sheet");
      // In a window lower than its chrome the ask scrolls as a whole, and is higher than it looks.
      const rest = ask && sheet ? ask.scrollHeight - sheet.clientHeight : 0;
      const height = Math.ceil(strip + rest + (sheet ? contentHeight(sheet) : 0));
      if (height === told) return;
      told = height;
      tell(height);
    };
    const changes = new MutationObserver(measure);
    changes.observe(main, { childList: true, subtree: true, characterData: true });
    const size = new ResizeObserver(measure);
    size.observe(main);
    measure();
    return () => {
      changes.disconnect();
      size.disconnect();
    };
  };
}

/** A sheet that is higher than what it holds says so in `scrollHeight`; its last child does not. It is never lower
 * than its style wants. */
function contentHeight(sheet: HTMLElement): number {
  const last = sheet.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  const top = sheet.getBoundingClientRect().top;
  const { paddingBottom, minHeight } = getComputedStyle(sheet);
  const least = (parseFloat(minHeight) || 0) - (sheet.offsetHeight - sheet.clientHeight);
  return Math.max(last - top + sheet.scrollTop + parseFloat(paddingBottom), least);
}

/** Keeps Tab going round within an element. */
export const keepTabWithin: Attachment<HTMLElement> = (element) => {
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== "Tab" || event.defaultPrevented) return;
    const stops = [...element.querySelectorAll<HTMLElement>("button, input, textarea, [tabindex='0']")];
    const [first, last] = [stops[0], stops.findLast((stop) => stop.tabIndex >= 0)];
    if (event.shiftKey && document.activeElement === first) last?.focus();
    else if (!event.shiftKey && document.activeElement === last) first?.focus();
    else return;
    event.preventDefault();
  };
  element.addEventListener("keydown", keyDown);
  return () => element.removeEventListener("keydown", keyDown);
};
