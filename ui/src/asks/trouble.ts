// Why an ask cannot go on, said in a sentence.

import { shown } from "../lib/display";
import type { Words } from "../lib/words";
import type { Trouble } from "./asking.svelte";

export function troubleText({ ask }: Words, trouble: Trouble): string {
  return typeof trouble === "string" ? ask[trouble] : shown(trouble.said, "line");
}
