// The backend of the app's own windows: two commands of the Tauri shell.

import { Channel, invoke } from "@tauri-apps/api/core";
import { type Backend, callError } from "../backend";

/** How long to wait before the hub is asked again for its events, the longest at the end. */
const PAUSES_MS = [250, 1000, 4000];

export const tauri: Backend = {
  async call(method, params) {
    try {
      return await invoke("call", { method, params });
    } catch (thrown) {
      throw callError(thrown);
    }
  },

  subscribe(channel, hear) {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const events = new Channel<Parameters<typeof hear>[0]>((event) => {
      if (!over) hear(event);
    });
    const follow = async (tried: number) => {
      try {
        await invoke("subscribe", { channels: [channel], events });
      } catch {
        const pause = PAUSES_MS[Math.min(tried, PAUSES_MS.length - 1)];
        if (!over) timer = setTimeout(() => void follow(tried + 1), pause);
      }
    };
    void follow(0);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  },
};
