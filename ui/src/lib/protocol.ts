// What the page says and hears: the wire's calls and events, and those that only the app's own windows know.

import type { AskUserEvent, Calls, NotificationEvent } from "./wire";

/** Names the two languages that the app speaks; `system` takes the one that the person's machine speaks. */
export type LanguageSetting = "system" | "en" | "fr";

/** Names what is drawn; `system` goes after the person's machine, day and night. */
export type ThemeSetting = "system" | "light" | "dark";

/** What the person chose, as far as the page can show it. */
export type Settings = {
  language: LanguageSetting;
  theme: ThemeSetting;
  /** Whether a notification says what is asked; a command's text never is in one. */
  notification_content: boolean;
  /** No notification is shown before that, in milliseconds since the epoch. */
  notifications_paused_until?: number | null;
  /** Whether the window of asks stays above others. */
  ask_on_top: boolean;
  start_at_login: boolean;
};

/** The calls that a window makes about itself and its app; the socket does not know them. */
export type WindowCalls = {
  /** Gives the settings. */
  "settings.get": { params: Record<string, never>; result: Settings };
  /** Changes those named and gives all. Every window hears of it as a `settings` event. */
  "settings.set": { params: Partial<Settings>; result: Settings };
  /** Asks for the window of asks to be so high, in CSS pixels; at 0 there is nothing to show, and it hides. */
  "window.fit": { params: { height: number }; result: null };
  /** Lets the person choose a file and writes it; without a path they chose none. */
  "window.save": { params: { name: string; text: string }; result: { path?: string | null } };
};

/** What a window hears about itself and its app. */
export type WindowEvent =
  /** The person asked for this ask elsewhere: in a notification, the tray, or by the shortcut. */
  { kind: "open"; request_id: string } | { kind: "settings"; settings: Settings };

/** Every call of the page, by its name. */
export type PageCalls = Calls & WindowCalls;

/** Every channel of events that the page can hear, by its name. */
export type PageEvents = {
  askUserEvent: AskUserEvent;
  notificationEvent: NotificationEvent;
  windowEvent: WindowEvent;
};
