// What the tests reach in their page.

import type { FakeHub } from "./fake-hub";
import type { asks, stranger } from "./sample-asks";

declare global {
  interface Window {
    hub: FakeHub;
    asks: typeof asks;
    stranger: typeof stranger;
    rememberSome: () => void;
  }
}
