import { describe, expect, test } from "vitest";
import { Arming, EventClock } from "./arming";

/** An ask that was drawn at 0 and has been left alone since. */
function drawn(unsafe = false): Arming {
  const arming = new Arming(unsafe);
  arming.settle(0);
  return arming;
}

describe("the delay", () => {
  test.each([
    [false, 500],
    [true, 1000],
  ])("unsafe %s: nothing is accepted before %i ms", (unsafe, delay) => {
    for (const act of ["pointer", "press"] as const) {
      expect(drawn(unsafe)[act](delay - 1)).toBe("early");
      expect(drawn(unsafe)[act](delay)).toBeUndefined();
    }
    expect(drawn(unsafe).key(delay - 1, "act")).toBe("early");
    expect(drawn(unsafe).key(delay, "act")).toBeUndefined();
  });

  test("an ask that was never drawn accepts nothing, ever", () => {
    const arming = new Arming(false);
    expect(arming.readyAt()).toBeUndefined();
    expect(arming.pointer(1e9)).toBe("early");
    expect(arming.key(2e9, "act")).toBe("early");
    expect(arming.press(3e9)).toBe("early");
  });

  test("a change starts it anew, however long the ask had stood there", () => {
    const arming = drawn();
    arming.unsettle();
    expect(arming.pointer(10_000)).toBe("early");
    arming.settle(10_500);
    expect(arming.pointer(10_999)).toBe("early");
    expect(arming.pointer(11_400)).toBeUndefined();
  });

  test("once over, it stays over", () => {
    const arming = drawn();
    expect(arming.pointer(60_000)).toBeUndefined();
    expect(arming.pointer(60_400)).toBeUndefined();
  });

  test("an event from before the change is judged by its own time", () => {
    const arming = drawn();
    arming.unsettle();
    arming.settle(5000);
    expect(arming.pointer(4990)).toBe("early");
    expect(arming.press(4000)).toBe("early");
  });
});

describe("the quiet time", () => {
  test.each([
    [false, 400],
    [true, 700],
  ])("unsafe %s: an act needs %i ms without another press", (unsafe, quiet) => {
    for (const before of ["pointer", "other"] as const) {
      const press = (arming: Arming) =>
        before === "pointer" ? arming.pointer(5000) : arming.key(5000, "other");
      const [soon, late] = [drawn(unsafe), drawn(unsafe)];
      press(soon);
      press(late);
      expect(soon.key(5000 + quiet - 1, "act")).toBe("early");
      expect(late.pointer(5000 + quiet)).toBeUndefined();
    }
  });

  test("a refused act is a press too, so a drumming finger never gets through", () => {
    const arming = drawn();
    const verdicts = Array.from({ length: 200 }, (_, n) => arming.pointer(n * 125));
    expect(verdicts.every((verdict) => verdict === "early")).toBe(true);
  });

  test("moving between the ask's own controls and writing in its field do not count", () => {
    const arming = drawn();
    for (const [n, key] of (["tab", "move", "write", "move"] as const).entries())
      arming.key(5000 + n * 50, key);
    expect(arming.key(5201, "act")).toBeUndefined();
  });

  test("a held key is no act, and no rest", () => {
    const arming = drawn();
    for (let at = 5000; at <= 9000; at += 30) arming.held(at, "act");
    expect(arming.key(9300, "act")).toBe("early");
    expect(arming.key(9700, "act")).toBeUndefined();
    const scrolled = drawn();
    scrolled.held(5000, "move");
    expect(scrolled.key(5010, "act")).toBeUndefined();
  });

  test("a stamp out of order does not shorten it", () => {
    const arming = drawn();
    arming.pointer(5000);
    arming.key(4000, "other");
    expect(arming.pointer(5399)).toBe("early");
  });
});

describe("the first key", () => {
  test("within a second of the focus it locks keys until Tab", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    arming.key(5999, "other");
    expect(arming.key(9000, "act")).toBe("firstKey");
    expect(arming.key(60_000, "act")).toBe("firstKey");
    arming.key(61_000, "tab");
    expect(arming.key(61_001, "act")).toBeUndefined();
  });

  test("or until a pointer press", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    expect(arming.key(5500, "act")).toBe("firstKey");
    expect(arming.pointer(9000)).toBeUndefined();
    expect(arming.key(9400, "act")).toBeUndefined();
  });

  test("after a second it is like any other", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    arming.key(6000, "move");
    expect(arming.key(6100, "act")).toBeUndefined();
  });

  test("Tab as the first key locks nothing", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    arming.key(5100, "tab");
    expect(arming.key(5200, "act")).toBeUndefined();
  });

  test("writing at once in the field locks its Enter too", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    for (let at = 5040; at < 5400; at += 40) arming.key(at, "write");
    expect(arming.key(5400, "act")).toBe("firstKey");
  });

  test("a lock is of one taking of the focus", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    arming.key(5100, "other");
    arming.takeFocus(20_000);
    expect(arming.key(22_000, "act")).toBeUndefined();
  });

  test("a screen reader's press is no key", () => {
    const arming = drawn();
    arming.takeFocus(5000);
    arming.key(5100, "move");
    expect(arming.press(5200)).toBeUndefined();
  });
});

test("a typist whose lines end in Enter never answers, wherever the ask appears", () => {
  for (let shown = 0; shown < 9000; shown += 7) {
    const arming = new Arming(false);
    const answered = typing("ls -la", 2).filter(({ at, key }) => {
      if (at < shown) return false;
      if (arming.readyAt() === undefined) arming.settle(shown);
      return arming.key(at, key) === undefined && key === "act";
    });
    expect(answered).toEqual([]);
  }
});

test("readyAt tells when the line is full", () => {
  const arming = drawn();
  expect(arming.readyAt()).toBe(500);
  arming.key(300, "other");
  expect(arming.readyAt()).toBe(700);
  arming.unsettle();
  expect(arming.readyAt()).toBeUndefined();
});

test("a time stamp of another clock is not believed", () => {
  const clock = new EventClock();
  expect(clock.happenedAt(900, 1000)).toBe(900);
  expect(clock.happenedAt(1000, 31_000)).toBe(1000);
  expect(clock.happenedAt(1000, 31_001)).toBe(31_001);
  expect(clock.happenedAt(1_700_000_000_000, 1000)).toBe(1000);
  expect(clock.happenedAt(-4_000_000_000, 1000)).toBe(1000);
  expect(clock.happenedAt(900, 1000)).toBe(900);
});

test("time stamps that run ahead are set right by the first that shows it", () => {
  const clock = new EventClock();
  expect(clock.happenedAt(1200, 1000)).toBe(1000);
  // Heard 900 ms late.
  expect(clock.happenedAt(2200, 2900)).toBe(2000);
  expect(clock.happenedAt(3210, 3000)).toBe(3000);
  expect(clock.happenedAt(4210, 4000)).toBe(4000);
});

/** The keys of a person who types a line at 40 ms a key, Enter at its end, 4 s between lines. */
function typing(line: string, lines: number): { at: number; key: "act" | "other" }[] {
  return Array.from({ length: lines }).flatMap((_, n) =>
    [...line, "\n"].map((c, place) => ({
      at: n * (4000 + line.length * 40) + place * 40,
      key: c === "\n" || c === " " ? ("act" as const) : ("other" as const),
    })),
  );
}
