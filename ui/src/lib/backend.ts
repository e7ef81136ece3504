// The one seam between the page and the hub: the window and the mirror each bring their own.

/**
 * Describes a protocol: each call by its name with what it takes and what it gives, each channel by its
 * name with the events on it. The page's own is generated from the hub's types.
 */
export type Protocol = {
  calls: Record<string, { params: unknown; reply: unknown }>;
  events: Record<string, unknown>;
};

/** Names a call of a protocol. */
export type Method<P extends Protocol> = keyof P["calls"] & string;

/** Names a channel of a protocol's events. */
export type Channel<P extends Protocol> = keyof P["events"] & string;

/** Reaches the hub. It decides nothing: what a call means, and who may make it, is the hub's to say. */
export type Backend<P extends Protocol> = {
  /**
   * Makes one call and resolves to its reply. Rejects with a `CallError`, also when the hub is out of
   * reach: nothing was then done, or nothing is known of it.
   */
  call<M extends Method<P>>(
    method: M,
    params: P["calls"][M]["params"],
    signal?: AbortSignal,
  ): Promise<P["calls"][M]["reply"]>;

  /**
   * Hears the events of a channel, a snapshot of what is there first. After the hub was out of reach a
   * new snapshot comes, so a listener keeps nothing that it cannot rebuild from one.
   */
  subscribe<C extends Channel<P>>(channel: C, hear: (event: P["events"][C]) => void): Unsubscribe;

  /**
   * Opens the stream of a pane's terminal: what it has kept so far, then what it prints. Rejects with a
   * `CallError` when there is no such pane.
   */
  attach(surfaceId: string, terminal: Terminal): Promise<Attachment>;
};

/** Ends a subscription. Ending it twice is harmless. */
export type Unsubscribe = () => void;

/** Draws a pane: where its bytes go. */
export type Terminal = {
  /**
   * Takes bytes as the process wrote them, cut anywhere, also within a character. Resolves once they are
   * drawn; what comes next is held back meanwhile, so that a flood cannot outrun the page.
   */
  write(bytes: Uint8Array): Promise<void>;

  /** Hears that the stream has ended: the pane closed, or the hub went out of reach. */
  ended(why: "closed" | "unreachable"): void;
};

/** Holds a pane's open stream. */
export type Attachment = {
  /** Sends bytes to the pane's process, as a terminal does for keys. */
  send(bytes: Uint8Array): void;

  /** Tells the process how many cells it has to draw on. */
  resize(columns: number, rows: number): void;

  /** Closes the stream. The pane and its process stay. */
  detach(): void;
};

/** Tells why a call failed. */
export type CallError = {
  /** The hub's stable word for the error, or `unreachable` when it could not be asked. */
  code: string;

  /** Says it to a person, in a sentence. */
  message: string;

  /** Names the parameter that was wrong, when one was. */
  param?: string;
};
