// When an ask may be acted on: the rules by which nobody approves by accident. No page, no clock: what
// happens and when is handed in, in milliseconds of one clock. An ask is changed by `unsettle`, drawn by
// `settle`; what a person does arrives through `pointer`, `key`, `press`.

/** How long an ask keeps a person waiting. */
export type Pace = {
  /** From when it was drawn, whole and in the foreground, until it accepts anything. */
  delay: number;
  /** Without any other key or pointer press before an act on a button, whenever it comes. */
  quiet: number;
};

const PACE: Pace = { delay: 500, quiet: 400 };
const UNSAFE_PACE: Pace = { delay: 1000, quiet: 700 };

/** A first key that comes so soon after the ask took the focus was meant for what had it before. */
const FIRST_KEY = 1000;

/** What a key does: `act` presses a control, `move` goes between the ask's own, `write` is for its field. */
export type Key = "act" | "tab" | "move" | "write" | "other";

/** Why an act counts for nothing. */
export type Refusal =
  /** The ask was not in sight, had just changed, or something else was pressed just before. */
  | "early"
  /** The first key came too soon: only Tab or a pointer lets keys act again. */
  | "firstKey";

/** The clocks of one ask on one surface. */
export class Arming {
  readonly pace: Pace;
  #settledAt: number | undefined;
  #pressedAt = -Infinity;
  #focusedAt: number | undefined;
  #keysLocked = false;

  constructor(unsafe: boolean) {
    this.pace = unsafe ? UNSAFE_PACE : PACE;
  }

  /** The ask changes, moves, or leaves sight: nothing is accepted until it settles. */
  unsettle(): void {
    this.#settledAt = undefined;
  }

  /** The ask stands drawn as it is, whole and in the foreground, from now on. */
  settle(at: number): void {
    this.#settledAt = at;
  }

  /** The ask took the keyboard's focus by itself, not by a press of the person on it. */
  takeFocus(at: number): void {
    this.#focusedAt = at;
    this.#keysLocked = false;
  }

  /** A pointer goes down, anywhere. Tells why an act by it would count for nothing. */
  pointer(at: number): Refusal | undefined {
    const refusal = this.#early(at);
    this.#focusedAt = undefined;
    this.#keysLocked = false;
    this.#presses(at);
    return refusal;
  }

  /** A key goes down. Tells why an act by it would count for nothing. */
  key(at: number, key: Key): Refusal | undefined {
    if (this.#focusedAt !== undefined && key !== "tab") this.#keysLocked ||= at - this.#focusedAt < FIRST_KEY;
    this.#focusedAt = undefined;
    if (key === "tab") this.#keysLocked = false;
    const refusal = this.#keysLocked ? "firstKey" : this.#early(at);
    if (key === "act" || key === "other") this.#presses(at);
    return refusal;
  }

  /** A key is held down: it never acts, and the hand is not at rest. */
  held(at: number, key: Key): void {
    if (key === "act" || key === "other") this.#presses(at);
  }

  /** A press without key or pointer, as a screen reader makes it: the same clocks, at its own time. */
  press(at: number): Refusal | undefined {
    const refusal = this.#early(at);
    this.#presses(at);
    return refusal;
  }

  /** Tells from when on an act would count if nothing else happened; nothing while it is not settled. */
  readyAt(): number | undefined {
    if (this.#settledAt === undefined) return undefined;
    return Math.max(this.#settledAt + this.pace.delay, this.#pressedAt + this.pace.quiet);
  }

  #early(at: number): Refusal | undefined {
    const ready = this.readyAt();
    return ready === undefined || at < ready ? "early" : undefined;
  }

  #presses(at: number): void {
    this.#pressedAt = Math.max(this.#pressedAt, at);
  }
}

/** An older time stamp is not this clock's: some window systems count their own, and start over. */
const OLDEST = 30_000;
/** Nor is one so far ahead. */
const AHEAD = 2000;

/**
 * Gives when an event happened, rather than when it is heard, so that what waited in a queue is judged by
 * its own time. A stamp that cannot be of this clock is not believed.
 */
export class EventClock {
  /** By how much the stamps run ahead: WebKitGTK counts them from a little before its page's own zero. */
  #ahead = 0;

  happenedAt(stamp: number, now: number): number {
    if (stamp - now > AHEAD || now - stamp > OLDEST) return now;
    this.#ahead = Math.max(this.#ahead, stamp - now);
    return stamp - this.#ahead;
  }
}
