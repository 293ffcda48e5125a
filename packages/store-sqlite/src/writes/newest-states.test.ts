import type { AccountState } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NewestStates } from "./newest-states.ts";

const addressOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

const stateOf = (number: number, slot: number, bytes = 8): AccountState => ({
  current: {
    address: addressOf(number),
    programOwner: addressOf(0),
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
    data: new Uint8Array(bytes).fill(slot),
    slot,
    writeVersion: 0,
  },
  lastLife: null,
});

describe("NewestStates", () => {
  test("answers the last state that was put, or nothing, and keeps no more than it may", () => {
    const step = fc.record({
      number: fc.nat(30),
      action: fc.constantFrom("put", "put", "put", "find", "drop"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 2, max: 12 }), (steps, max) => {
        const newest = new NewestStates(max);
        const model = new Map<number, AccountState>();
        for (const [slot, { number, action }] of steps.entries()) {
          const state = stateOf(number, slot);
          if (action === "put") {
            newest.put(state);
            model.set(number, state);
            expect(newest.find(addressOf(number))).toEqual(state);
          } else if (action === "drop") {
            newest.drop(addressOf(number));
            model.delete(number);
          }
          const found = newest.find(addressOf(number));
          if (found !== undefined) expect(found).toEqual(model.get(number));
        }
        const kept = [...model.keys()].filter((number) => newest.find(addressOf(number)) !== undefined);
        expect(kept.length).toBeLessThanOrEqual(max + 1);
      }),
    );
  });

  test("keeps what is asked for again and again", () => {
    const newest = new NewestStates(4);
    newest.put(stateOf(1, 1));
    for (let number = 2; number < 30; number += 1) {
      newest.put(stateOf(number, 1));
      expect(newest.find(addressOf(1))).toEqual(stateOf(1, 1));
    }
    expect(newest.find(addressOf(2))).toBe(undefined);
  });

  test("keeps bytes of its own, and leaves what is large, closed, or had another life to the file", () => {
    const newest = new NewestStates(4);
    const slab = new Uint8Array(4096);
    const state = stateOf(1, 1);
    newest.put({ current: { ...state.current, data: slab.subarray(0, 8) }, lastLife: null });
    slab.fill(9);
    expect(newest.find(addressOf(1))?.current.data).toEqual(new Uint8Array(8));
    newest.put(stateOf(1, 2, 2000));
    expect(newest.find(addressOf(1))).toBe(undefined);
    newest.put(stateOf(2, 1));
    newest.put({ current: { ...stateOf(2, 2).current, lamports: 0n }, lastLife: null });
    expect(newest.find(addressOf(2))).toBe(undefined);
    newest.put({ current: stateOf(3, 2).current, lastLife: stateOf(3, 1).current });
    expect(newest.find(addressOf(3))).toBe(undefined);
    newest.put(stateOf(4, 1));
    newest.clear();
    expect(newest.find(addressOf(4))).toBe(undefined);
  });
});
