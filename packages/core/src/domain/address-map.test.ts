import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AddressMap, AddressSet, hashAddress } from "./address-map.ts";

/** Few addresses, so that histories meet; some differ in one byte only. */
const addressOf = (number: number): Uint8Array => {
  const address = new Uint8Array(32).fill(number & 3);
  address[number % 32] = number >> 2;
  return address;
};

const steps = fc.array(
  fc.record({ number: fc.nat(200), value: fc.nat(1000), action: fc.constantFrom("set", "set", "delete") }),
  { maxLength: 300 },
);

describe("AddressMap", () => {
  test("is a map by bytes in order of insertion, regardless of what is set and deleted", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const model = new Map<string, number>();
        const map = new AddressMap<number>();
        for (const { number, value, action } of history) {
          const address = addressOf(number);
          const key = Buffer.from(address).toString("hex");
          if (action === "set") {
            model.set(key, value);
            map.set(address, value);
          } else expect(map.delete(address)).toBe(model.delete(key));
          expect(map.size).toBe(model.size);
        }
        const entries = map
          .entries()
          .map(({ address, value }) => [Buffer.from(address).toString("hex"), value]);
        expect(entries).toEqual([...model]);
        const copy = new AddressMap<number>();
        map.forEach((address, value, hash) => {
          expect(hash).toBe(hashAddress(address));
          copy.set(address, value, hash);
        });
        expect(copy.entries()).toEqual(map.entries());
        expect(map.values()).toEqual([...model.values()]);
        expect(map.addresses().map((address) => Buffer.from(address).toString("hex"))).toEqual([
          ...model.keys(),
        ]);
        for (let number = 0; number <= 200; number += 1) {
          const address = addressOf(number);
          const wanted = model.get(Buffer.from(address).toString("hex"));
          expect(map.get(address)).toBe(wanted);
          expect(map.has(address, hashAddress(address))).toBe(wanted !== undefined);
        }
      }),
    );
  });

  test("looks at the bytes, not at who holds them", () => {
    const map = new AddressMap<string>();
    const whole = new Uint8Array(96).fill(7);
    map.set(whole.subarray(32, 64), "here");
    expect(map.get(new Uint8Array(32).fill(7))).toBe("here");
    map.clear();
    expect([map.size, map.get(new Uint8Array(32).fill(7))]).toEqual([0, undefined]);
  });
});

describe("AddressSet", () => {
  test("holds each address once", () => {
    const set = new AddressSet();
    set.addAll([addressOf(1), addressOf(2), addressOf(1)]);
    expect([set.size, set.has(addressOf(2)), set.has(addressOf(3))]).toEqual([2, true, false]);
    expect(set.addresses()).toEqual([addressOf(1), addressOf(2)]);
  });
});
