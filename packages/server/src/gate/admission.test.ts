import { LamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";

import { Caller, KeyRing } from "../keys.ts";
import { silentLog } from "../log/log.ts";
import { ServerEvents } from "../log/server-events.ts";
import { defaultLimits } from "../limits.ts";
import { Admission } from "./admission.ts";
import { Gate } from "./gate.ts";

const events = new ServerEvents(silentLog);
const gateOf = (limits: Partial<typeof defaultLimits>): Gate =>
  new Gate({ limits: { ...defaultLimits, ...limits }, keys: new KeyRing(["one"]), events, shared: null });
const holder = { caller: new Caller("one"), address: "127.0.0.1" };

test("answers that are put together count with those that wait to be read", () => {
  const gate = gateOf({ owedBytes: 1000 });
  const admission = new Admission(gate, events, holder, null);
  // Alone, an answer may be larger than the bound of all.
  admission.add(2000, 2000);
  admission.remove(2000);
  expect(gate.answers.held).toBe(0);
  admission.add(800, 800);
  expect(() => admission.add(300, 300)).toThrow(LamplightError);
  expect(gate.answers.held).toBe(1100);
  admission.remove(300);
  admission.remove(800);
  expect(gate.answers.held).toBe(0);
  expect(events.counts.overOwed).toBe(1);
});
