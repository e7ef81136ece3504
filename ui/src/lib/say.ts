// Sentences from the catalogue: filling places, counting, ages. The same rules as in words.rs and words/age.rs.

import { type Language, type Plural, type Words, words } from "./words";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Speaks one language: its texts, and the sentences that are made of them. */
export type Voice = {
  language: Language;
  words: Words;
  /** Gives the text for so many things, the number filled in. */
  count(plural: Plural, n: number, values?: Record<string, string>): string;
  /** Says a length of time in its largest whole unit: `18 s`, `2 min`. */
  duration(seconds: number): string;
  /** Says how long ago something was: `just now`, `2 min ago`. */
  ago(seconds: number): string;
};

/** Gives the voice of a language. */
export function voiceOf(language: Language): Voice {
  const all = words[language];
  const { seconds, minutes, hours, days, justNow, ago } = all.common;
  const duration = (length: number) => {
    const s = Math.max(0, Math.floor(length));
    if (s < MINUTE) return fill(seconds, { n: String(s) });
    if (s < HOUR) return fill(minutes, { n: String(Math.floor(s / MINUTE)) });
    if (s < DAY) return fill(hours, { n: String(Math.floor(s / HOUR)) });
    return fill(days, { n: String(Math.floor(s / DAY)) });
  };
  return {
    language,
    words: all,
    count(plural, n, values) {
      const one = language === "fr" ? n < 2 : n === 1;
      return fill(one ? plural.one : plural.many, { n: n.toLocaleString(language), ...values });
    },
    duration,
    ago: (s) => (s < 1 ? justNow : fill(ago, { time: duration(s) })),
  };
}

/** Says what is left of a countdown, in every language: `9:41`, `1:02:03`. */
export function clock(length: number): string {
  const s = Math.max(0, Math.floor(length));
  const [hours, minutes, seconds] = [Math.floor(s / HOUR), Math.floor((s % HOUR) / MINUTE), s % MINUTE];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}

/** Fills the places of a text. Values are taken as they are; a place without a value stays visible. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** Parts a text at one of its places, for what is not a string: `“{text}”` is `“` and `”`. */
export function around(text: string, place: string): [before: string, after: string] {
  const [before = "", after = ""] = text.split(`{${place}}`);
  return [before, after];
}
