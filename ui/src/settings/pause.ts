// Until when notifications are paused.

export function inAnHour(now: number): number {
  return now + 3_600_000;
}

/** Eight in the morning of the next day, by the person's clock. */
export function tomorrow(now: number): number {
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(8, 0, 0, 0);
}
