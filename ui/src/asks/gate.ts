// How much of a command was not in sight yet. Judged by where its lines are drawn, not by how far the sheet
// was scrolled: in a small pane even a short command can be out of sight.

/** A line ends where this rounds to. */
const SLACK = 1;

/** Counts the lines, top to bottom, that end below what is visible. */
export function linesBelow(visibleTo: number, ends: { length: number; at(n: number): number }): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends.at(middle) <= visibleTo + SLACK) low = middle + 1;
    else high = middle;
  }
  return ends.length - low;
}

/** Counts the lines of the command in the sheet, seen or not. */
export function linesIn(sheet: Element): number {
  return linesOf(sheet).length;
}

function linesOf(sheet: Element): NodeListOf<Element> {
  return sheet.querySelectorAll("ol > li");
}

/** Counts the lines of the command in the sheet that are below its visible part. */
export function unreadIn(sheet: Element): number {
  const lines = linesOf(sheet);
  // Not drawn at all, as in a list that covers it: nothing of it was seen.
  if (sheet.getClientRects().length === 0) return lines.length;
  const around = [sheet, sheet.parentElement ?? sheet].map((box) => box.getBoundingClientRect().bottom);
  const visibleTo = Math.min(...around, document.documentElement.clientHeight);
  return linesBelow(visibleTo, {
    length: lines.length,
    at: (n) => lines[n]?.getBoundingClientRect().bottom ?? 0,
  });
}
