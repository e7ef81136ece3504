import { expect, test } from "vitest";
import { inAnHour, tomorrow } from "./pause";

test("a pause lasts an hour, or until the next morning", () => {
  const evening = new Date(2026, 11, 31, 23, 30).getTime();
  expect(new Date(inAnHour(evening))).toEqual(new Date(2027, 0, 1, 0, 30));
  expect(new Date(tomorrow(evening))).toEqual(new Date(2027, 0, 1, 8, 0));
});
