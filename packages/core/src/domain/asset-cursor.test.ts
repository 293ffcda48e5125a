import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAssetCursor, encodeAssetCursor } from "./asset-cursor.ts";

const cursors = fc.record({
  sort: fc.constantFrom("id" as const, "created" as const, "updated" as const, "none" as const),
  direction: fc.constantFrom("asc" as const, "desc" as const),
  position: fc.maxSafeNat(),
  id: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

describe("decodeAssetCursor", () => {
  test("reads back what encodeAssetCursor wrote", () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(decodeAssetCursor(encodeAssetCursor(cursor), cursor)).toEqual(cursor);
      }),
    );
  });

  test("refuses a token of another order", () => {
    fc.assert(
      fc.property(cursors, cursors, (written, asked) => {
        fc.pre(written.sort !== asked.sort || written.direction !== asked.direction);
        expect(() => decodeAssetCursor(encodeAssetCursor(written), asked)).toThrow("another order");
      }),
    );
  });

  test("refuses every other text", () => {
    const order = { sort: "id", direction: "asc" } as const;
    const good = encodeAssetCursor({ ...order, position: 0, id: new Uint8Array(32).fill(7) });
    const bad = [
      "",
      "x",
      good.slice(1),
      `${good}A`,
      `${good.slice(0, -1)}!`,
      `Ag${good.slice(2)}`,
      "=".repeat(56),
      "é".repeat(56),
    ];
    for (const text of bad) expect(() => decodeAssetCursor(text, order), text).toThrow("cursor");
  });

  test("refuses a position beyond 2^53", () => {
    const bytes = Buffer.alloc(42, 255);
    bytes[0] = 1;
    bytes[1] = 2;
    expect(() =>
      decodeAssetCursor(bytes.toString("base64url"), { sort: "created", direction: "asc" }),
    ).toThrow("is not a cursor");
  });
});
