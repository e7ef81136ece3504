// What a person left at an ask: a draft, and that it can wait. It survives reloads and is the same in every
// window; it goes when the ask ends. The page keeps nothing else.

/** Holds notes by ask. */
export type Note = { draft?: string | undefined; later?: boolean };

const PREFIX = "ask.";

export class Notes {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  of(requestId: string): Note {
    try {
      const note: unknown = JSON.parse(this.#storage.getItem(PREFIX + requestId) ?? "{}");
      return typeof note === "object" && note !== null ? note : {};
    } catch {
      return {};
    }
  }

  /** Changes a note. A note with nothing in it is none. */
  change(requestId: string, change: Note): void {
    const note = { ...this.of(requestId), ...change };
    if (note.draft === undefined && !note.later) return this.drop(requestId);
    try {
      this.#storage.setItem(PREFIX + requestId, JSON.stringify(note));
    } catch {
      // Full: the draft lives on in its field, and is lost only with the page.
    }
  }

  drop(requestId: string): void {
    this.#storage.removeItem(PREFIX + requestId);
  }

  /** Drops the notes of all asks but these. */
  keepOnly(requestIds: string[]): void {
    const keys = Array.from({ length: this.#storage.length }, (_, n) => this.#storage.key(n) ?? "");
    for (const key of keys) {
      if (key.startsWith(PREFIX) && !requestIds.includes(key.slice(PREFIX.length)))
        this.#storage.removeItem(key);
    }
  }

  /** Hears of notes that another window changed. */
  hear(changed: (requestId: string) => void): () => void {
    const hear = ({ key }: StorageEvent) => {
      if (key?.startsWith(PREFIX)) changed(key.slice(PREFIX.length));
    };
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }
}
