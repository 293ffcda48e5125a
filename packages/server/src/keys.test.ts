import { describe, expect, test } from "vitest";

import { KeyRing } from "./keys.ts";

describe("KeyRing", () => {
  test("knows exactly the keys it was given", () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);
    const ring = new KeyRing(keys);
    for (const key of keys) expect(ring.find(key)).not.toBeNull();
    for (const key of ["", "key-", "key-50", "KEY-1", "key-1 ", "__proto__", "x".repeat(10_000)]) {
      expect(ring.find(key)).toBeNull();
    }
  });

  test("without keys lets no one in", () => {
    expect(new KeyRing([]).find("")).toBeNull();
  });

  test("keeps no key that could be printed", () => {
    expect(JSON.stringify([new KeyRing(["secret"])])).not.toContain("secret");
  });
});
