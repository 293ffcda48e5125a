import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

import { Caller } from "../keys.ts";
import { SharedTally } from "./shared-tally.ts";

test("keeps no holder that holds nothing", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const tally = new SharedTally(1000);
  const addNothing = (): WeakRef<Caller> => {
    const caller = new Caller("one");
    tally.add({ caller, address: "127.0.0.1" }, 0);
    return new WeakRef(caller);
  };
  const caller = addNothing();
  // A reference is kept until the end of the turn in which it was made.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(caller.deref()).toBeUndefined();
  expect(tally.held).toBe(0);
});
