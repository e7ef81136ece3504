// Listens to a person's hands around one ask and lets through what the arming accepts. Everything is judged
// where it begins, at keydown and pointerdown, by the event's own time; a click only finishes what its press
// began. A click that no press began is a screen reader's, and is judged by itself.

import type { Attachment } from "svelte/attachments";
import { type Arming, EventClock, type Key, type Refusal } from "./arming";

/** What a control of an ask does when it is pressed. */
export type Act = {
  run: () => void;
  /** It sends nothing, so no clock holds it back. */
  free?: boolean;
  /** The only key that presses it; without one Enter and Space do. */
  onlyKey?: "Space";
};

/** What the guard tells the dialog. */
export type Listener = {
  /** The clocks changed: the line starts anew. */
  changed(): void;
  /** An act counted for nothing. */
  refused(why: Refusal | "spaceOnly"): void;
};

type Pressed = { control: Element; refusal: Refusal | undefined; version: number };

/** One for the page, since every event of it tells more of how its stamps run. */
const clock = new EventClock();
const happenedAt = (event: Event) => clock.happenedAt(event.timeStamp, performance.now());

export class Guard {
  readonly #arming: Arming;
  readonly #listener: Listener;
  readonly #acts = new WeakMap<Element, Act>();
  readonly #entries = new WeakMap<Element, () => void>();
  #root: HTMLElement | undefined;
  #foot: HTMLElement | undefined;
  /** Counts the changes, so that a press is finished only on what it began on. */
  #version = 0;
  #footInView = false;
  #pressed: Pressed | undefined;

  constructor(arming: Arming, listener: Listener) {
    this.#arming = arming;
    this.#listener = listener;
  }

  /** Makes an element a control of the ask. */
  control(act: () => Act): Attachment {
    return (element) => {
      this.#acts.set(element, act());
      return () => void this.#acts.delete(element);
    };
  }

  /** Makes an element a field of the ask: its keys are for it, and Enter in it is an act. */
  field(enter: () => void): Attachment {
    return (element) => {
      this.#entries.set(element, enter);
      return () => void this.#entries.delete(element);
    };
  }

  /** Marks the foot: an ask counts as seen only while all of its foot is in view. */
  readonly foot: Attachment<HTMLElement> = (element) => {
    this.#foot = element;
    const observer = new IntersectionObserver(
      (entries) => {
        this.#footInView = (entries.at(-1)?.intersectionRatio ?? 0) > 0.99;
        this.unsettle();
      },
      { threshold: [0, 0.99, 1] },
    );
    observer.observe(element);
    return () => observer.disconnect();
  };

  /** Marks the dialog and listens, until it goes. */
  readonly dialog: Attachment<HTMLElement> = (root) => {
    this.#root = root;
    const over = new AbortController();
    const heard = { capture: true, signal: over.signal };
    addEventListener("keydown", (event) => this.#keyDown(event), heard);
    addEventListener("keyup", (event) => this.#keyUp(event), heard);
    addEventListener("pointerdown", (event) => this.#pointerDown(event), heard);
    // Moves answer nothing; they only teach the clock before the first click.
    addEventListener("pointermove", happenedAt, heard);
    addEventListener("click", (event) => this.#click(event), heard);
    addEventListener("resize", () => this.unsettle(), heard);
    document.addEventListener("visibilitychange", () => this.unsettle(), heard);
    // Of the window, not of what is in it.
    const ofWindow = (event: Event) => event.target === window;
    addEventListener("blur", (event) => ofWindow(event) && this.unsettle(), heard);
    addEventListener(
      "focus",
      (event) => {
        if (!ofWindow(event)) return;
        if (root.contains(document.activeElement)) this.tookFocus();
        this.unsettle();
      },
      heard,
    );
    const place = new ResizeObserver(() => this.unsettle());
    if (root.parentElement) place.observe(root.parentElement);
    this.unsettle();
    return () => {
      over.abort();
      place.disconnect();
      this.#root = undefined;
    };
  };

  /** The ask changed or moved: it settles again once it has been drawn, whole and in the foreground. */
  unsettle(): void {
    this.#version += 1;
    const version = this.#version;
    this.#pressed = undefined;
    this.#arming.unsettle();
    this.#listener.changed();
    // Two frames on, what stands in the page now is on the screen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (version !== this.#version || !this.#root || !this.#foot) return;
        if (!this.#footInView || !document.hasFocus() || document.visibilityState !== "visible") return;
        this.#arming.settle(performance.now());
        this.#listener.changed();
      }),
    );
  }

  /** The dialog took the focus by itself. */
  tookFocus(): void {
    this.#arming.takeFocus(performance.now());
  }

  #keyDown(event: KeyboardEvent): void {
    if (!event.isTrusted) return;
    const at = happenedAt(event);
    const control = this.#controlOf(event.target);
    const enter = isElement(event.target) ? this.#entries.get(event.target) : undefined;
    const presses = event.key === "Enter" || event.key === " ";
    // The browser would make a click of it, at a time of its own.
    if (control && presses) event.preventDefault();
    const composing = event.isComposing || event.keyCode === 229;
    const sends = enter && event.key === "Enter" && !event.shiftKey && !composing;
    if (sends) event.preventDefault();

    const key: Key = sends || (control && presses) ? "act" : this.#kindOf(event, enter !== undefined);
    if (event.repeat) {
      this.#arming.held(at, key);
      this.#listener.changed();
      return;
    }
    const refusal = this.#arming.key(at, key);
    if (control && presses) {
      const act = this.#acts.get(control);
      if (act?.onlyKey === "Space" && event.key !== " ") this.#listener.refused("spaceOnly");
      else if (act) this.#do(act.run, act.free ? undefined : refusal);
    } else if (sends) {
      this.#do(enter, refusal);
    }
    this.#listener.changed();
  }

  #kindOf(event: KeyboardEvent, inField: boolean): Key {
    if (event.key === "Tab") return "tab";
    if (inField) return "write";
    const own = this.#root?.contains(document.activeElement) ?? false;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    return own && plain && /^(Arrow\w+|[1-9])$/.test(event.key) ? "move" : "other";
  }

  /** Some browsers make the click of a Space when it comes up. */
  #keyUp(event: KeyboardEvent): void {
    if (event.key === " " && this.#controlOf(event.target)) event.preventDefault();
  }

  #pointerDown(event: PointerEvent): void {
    if (!event.isTrusted) return;
    const refusal = this.#arming.pointer(happenedAt(event));
    const control = event.isPrimary && event.button === 0 ? this.#controlOf(event.target) : undefined;
    this.#pressed = control && { control, refusal, version: this.#version };
    // The line does not start anew under a finger that is about to be obeyed.
    if (refusal || !control) this.#listener.changed();
  }

  #click(event: MouseEvent): void {
    const control = this.#controlOf(event.target);
    const act = control && this.#acts.get(control);
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (!event.isTrusted || !act) return;
    if (act.free) {
      act.run();
    } else if (pressed) {
      const same = pressed.control === control && pressed.version === this.#version;
      this.#do(act.run, same ? pressed.refusal : "early");
    } else if (event.detail === 0) {
      this.#do(act.run, this.#arming.press(happenedAt(event)));
    }
    this.#listener.changed();
  }

  #do(run: () => void, refusal: Refusal | undefined): void {
    if (refusal) this.#listener.refused(refusal);
    else run();
  }

  #controlOf(target: EventTarget | null): Element | undefined {
    let element = isElement(target) ? target : null;
    while (element && element !== this.#root) {
      if (this.#acts.has(element)) return element;
      element = element.parentElement;
    }
    return undefined;
  }
}

function isElement(target: EventTarget | null): target is Element {
  return target instanceof Element;
}
