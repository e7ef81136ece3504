// Where an ask comes from, as far as it was checked: what the kernel reports, else the place it named.

import type { Asker } from "./answerer";

/** The place in the head of an ask, and in a list; `facts` stand below the head of a stranger. */
export type Place = {
  name: string;
  pid?: number;
  facts?: { program?: string; cwd?: string; terminal?: string };
};

/** Panes are the app's own; whoever asks from elsewhere is a stranger, whatever it calls its surface. */
export function placeOf(surfaceId: string, asker: Asker | undefined): Place {
  // `ht` asks on behalf of the program that started it; that one is the asker in a person's eyes.
  const relayed = asker?.program === "ht" && typeof asker.parent_program === "string";
  const program = (relayed ? asker?.parent_program : asker?.program) ?? undefined;
  const pid = (relayed ? asker?.parent_pid : asker?.pid) ?? undefined;
  if (program === undefined) return { name: surfaceId };
  return {
    name: program.split("/").at(-1) || program,
    ...(pid !== undefined && { pid }),
    facts: {
      program,
      ...(asker?.cwd && { cwd: asker.cwd }),
      ...(asker?.terminal && { terminal: asker.terminal }),
    },
  };
}
