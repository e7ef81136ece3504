// Text made safe to show: what hides or reorders becomes a visible escape. This walks as display.rs does;
// the tables come from there, and so do the cases that the two are compared on (tests/fixtures/display.json).

import { classes, names } from "./display-tables";

/** Where a text is shown: on one line, or in a block whose line breaks break the line. */
export type Context = "line" | "block";

/** A piece of a text as it is shown: as it is, or as a small box with a label and the character's name. */
export type Span = string | Escape;
export type Escape = {
  label: string;
  name: string;
  /** How many hidden characters it stands for. */
  weight: number;
  /** How much of the text it stands for, in units of UTF-16. */
  length: number;
};

/** A piece that is a word to warn about, shown as it is and marked. */
export type Flag = { suspect: string };

/** A word to warn about, in units of UTF-16. */
export type Suspect = { from: number; to: number; why: "mixedAlphabets" | "rightToLeft" };

/** Opens an escape where there are no boxes, so a literal one is escaped too. */
const OPEN = "⟦";
const LONGEST_BLANK = 20;
const MOST_MARKS = 4;

const hidden = belongsTo(classes.hidden);
const mark = belongsTo(classes.mark);
const white = belongsTo(classes.white);
const alphabetic = belongsTo(classes.alphabetic);
const alphanumeric = belongsTo(classes.alphanumeric);
const latin = belongsTo(classes.latin);
const looksLatin = belongsTo(classes.looksLatin);
const rightToLeft = belongsTo(classes.rightToLeft);

/** Splits a text into what is shown as it is and what is escaped, in order. */
export function spans(text: string, context: Context): Span[] {
  const out: Span[] = [];
  let plainFrom = 0;
  let marks: number | undefined; // on the last base; none where a mark would sit on something of ours
  let blanks = { end: 0, tall: false };
  for (const { at, end, scalar, count } of runs(text)) {
    let kept = count;
    if (scalar === " " || scalar === "\n") {
      if (at >= blanks.end) blanks = blanksAt(text, at);
      const whole = count <= LONGEST_BLANK && !blanks.tall;
      kept = whole && (scalar === " " || context === "block") ? count : 0;
    } else if (scalar === OPEN || hidden(scalar)) {
      kept = 0;
    } else if (mark(scalar)) {
      kept = Math.min(count, marks === undefined ? 0 : MOST_MARKS - marks);
    }
    if (kept < count) {
      const plainTo = at + kept * scalar.length;
      if (plainFrom < plainTo) out.push(text.slice(plainFrom, plainTo));
      out.push(escape(scalar, count - kept));
      plainFrom = end;
    }
    if (kept < count || scalar === "\n") marks = undefined;
    else if (mark(scalar)) marks = marks === undefined ? undefined : marks + count;
    else marks = 0;
  }
  if (plainFrom < text.length) out.push(text.slice(plainFrom));
  return out;
}

/** Counts the hidden characters that `spans` makes visible; a long run of blanks is one. */
export function hiddenIn(text: string, context: Context): number {
  return spans(text, context).reduce((sum, span) => sum + (typeof span === "string" ? 0 : span.weight), 0);
}

/** Gives the text as it is shown where there are no boxes: every escape between brackets. */
export function shown(text: string, context: Context): string {
  return spans(text, context)
    .map((span) => (typeof span === "string" ? span : `⟦${span.label}⟧`))
    .join("");
}

/** Marks the words to warn about in what is shown of a text. */
export function flagged(pieces: Span[], words: Suspect[]): (Span | Flag)[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = at;
    at += piece.length;
    if (typeof piece !== "string") return [piece];
    const out: (Span | Flag)[] = [];
    let done = 0;
    for (const { from, to } of words) {
      const [first, last] = [Math.max(from - start, done), Math.min(to - start, piece.length)];
      if (first >= last) continue;
      if (first > done) out.push(piece.slice(done, first));
      out.push({ suspect: piece.slice(first, last) });
      done = last;
    }
    if (done < piece.length) out.push(piece.slice(done));
    return out;
  });
}

/** Breaks what is shown into its lines. A line break at the very end begins no line of its own. */
export function linesOf(pieces: (Span | Flag)[]): (Span | Flag)[][] {
  const lines: (Span | Flag)[][] = [[]];
  for (const piece of pieces) {
    const [first = "", ...more] = typeof piece === "string" ? piece.split("\n") : [piece];
    if (first !== "") lines.at(-1)?.push(first);
    for (const line of more) lines.push(line === "" ? [] : [line]);
  }
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** Finds the words that may read as other words, in order. */
export function suspects(text: string): Suspect[] {
  const found: Suspect[] = [];
  for (const token of parts(text, (c) => !white(c))) {
    const latinNear = [...token.text].some(latin);
    for (const word of parts(token.text, (c) => alphanumeric(c) || mark(c))) {
      const letters = [...word.text];
      const disguised = () => letters.every((c) => looksLatin(c) || !alphabetic(c));
      const mixed = () => latinNear && letters.some(looksLatin) && (letters.some(latin) || disguised());
      const why = letters.some(rightToLeft) ? "rightToLeft" : mixed() ? "mixedAlphabets" : undefined;
      const from = token.at + word.at;
      if (why) found.push({ from, to: from + word.text.length, why });
    }
  }
  return found;
}

/** Gives the name of a common hidden character, else nothing. */
export function nameOf(scalar: string): string {
  const code = scalar.codePointAt(0) ?? 0;
  return names.find(([first, last]) => first <= code && code <= last)?.[2] ?? "";
}

function escape(scalar: string, count: number): Escape {
  const code = (scalar.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const what = { " ": "space", "\t": "tab", "\n": "newline" }[scalar] ?? `U+${code}`;
  const weight = scalar === OPEN ? 0 : scalar === " " || scalar === "\n" ? 1 : count;
  return {
    label: count === 1 ? what : `${what}×${count}`,
    name: nameOf(scalar),
    weight,
    length: count * scalar.length,
  };
}

/** A run of spaces, line breaks and hidden characters; tall when it has too many line breaks. */
function blanksAt(text: string, at: number): { end: number; tall: boolean } {
  let [end, breaks] = [at, 0];
  for (const c of text.slice(at)) {
    if (c !== " " && !hidden(c)) break;
    if (c === "\n") breaks += 1;
    end += c.length;
  }
  return { end, tall: breaks > LONGEST_BLANK };
}

type Run = { at: number; end: number; scalar: string; count: number };

function* runs(text: string): Generator<Run> {
  let run: Run | undefined;
  let at = 0;
  for (const scalar of text) {
    if (run?.scalar === scalar) {
      run.count += 1;
    } else {
      if (run) yield run;
      run = { at, end: at, scalar, count: 1 };
    }
    at += scalar.length;
    run.end = at;
  }
  if (run) yield run;
}

/** Gives the longest pieces whose characters all belong, with where each begins. */
function parts(text: string, belongs: (c: string) => boolean): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = [];
  let at = 0;
  let open = false;
  for (const c of text) {
    const inside = belongs(c);
    const last = found.at(-1);
    if (inside && open && last) last.text += c;
    else if (inside) found.push({ at, text: c });
    open = inside;
    at += c.length;
  }
  return found;
}

/** Reads a class of characters from its table. */
function belongsTo(table: string): (scalar: string) => boolean {
  const starts: number[] = [];
  const ends: number[] = [];
  let end = 0;
  for (const pair of table.split(" ")) {
    const [gap = "", length = "1"] = pair.split(":");
    const start = end + parseInt(gap, 36);
    end = start + parseInt(length, 36);
    starts.push(start);
    ends.push(end);
  }
  return (scalar) => {
    const code = scalar.codePointAt(0) ?? 0;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= code) low = middle + 1;
      else high = middle;
    }
    return low > 0 && code < (ends[low - 1] ?? 0);
  };
}

/** The classes by name, for the test that compares them with display.rs over every scalar. */
export const classTests = {
  hidden,
  mark,
  white,
  alphabetic,
  alphanumeric,
  latin,
  looksLatin,
  rightToLeft,
};
