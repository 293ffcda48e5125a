import { LamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";

import { silentLog } from "./log/log.ts";
import { ServerEvents } from "./log/server-events.ts";
import { Owed, OwedUnfinished } from "./owed.ts";

test("answers that are put together count with those that wait to be read", () => {
  const owed = new Owed({ owedBytes: 1000, waitingRequests: 1, bodiesBytes: 1 });
  const events = new ServerEvents(silentLog);
  const unfinished = new OwedUnfinished(owed, events, { caller: null, address: "127.0.0.1" });
  // Alone, an answer may be larger than the bound of all.
  unfinished.add(2000, 2000);
  unfinished.remove(2000);
  expect(owed.bytes.held).toBe(0);
  unfinished.add(800, 800);
  expect(() => unfinished.add(300, 300)).toThrow(LamplightError);
  expect(owed.bytes.held).toBe(1100);
  unfinished.remove(300);
  unfinished.remove(800);
  expect(owed.bytes.held).toBe(0);
  expect(events.counts.overOwed).toBe(1);
});
