import { LamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";

import { GateRequest } from "../../test/gate-request.ts";
import { Caller, KeyRing } from "../keys.ts";
import { silentLog } from "../log/log.ts";
import { ServerEvents } from "../log/server-events.ts";
import { defaultLimits } from "../limits.ts";
import { Gate } from "./gate.ts";

const events = new ServerEvents(silentLog);
const gateOf = (limits: Partial<typeof defaultLimits>): Gate =>
  new Gate({ limits: { ...defaultLimits, ...limits }, keys: new KeyRing(["one"]), shared: null });
const holder = { caller: new Caller("one"), address: "127.0.0.1" };

test("answers that are put together count with those that wait to be read", () => {
  const gate = gateOf({ owedBytes: 1000 });
  const request = new GateRequest(gate, holder, events);
  // Alone, an answer may be larger than the bound of all.
  request.addAnswer(2000, 2000);
  request.removeAnswer(2000);
  expect(gate.answers.held).toBe(0);
  request.addAnswer(800, 800);
  expect(() => request.addAnswer(300, 300)).toThrow(LamplightError);
  expect(gate.answers.held).toBe(1100);
  request.removeAnswer(300);
  request.removeAnswer(800);
  expect(gate.answers.held).toBe(0);
  expect(events.counts.overOwed).toBe(1);
});
