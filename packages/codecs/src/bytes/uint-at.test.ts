import * as fc from "fast-check";
import { expect, test } from "vitest";
import { u32At, u64At } from "./uint-at.ts";

test("reads what a view reads, at the ends of the range too", () => {
  const bytes = fc.uint8Array({ minLength: 11, maxLength: 11 });
  const edges = [0, 127, 128, 255].map((byte) => new Uint8Array(11).fill(byte));
  const edgy = fc.tuple(fc.constantFrom(...edges), fc.nat(10), fc.nat(255));
  fc.assert(
    fc.property(
      fc.oneof(
        bytes,
        edgy.map(([edge, at, byte]) => edge.with(at, byte)),
      ),
      fc.nat(3),
      (data, at) => {
        const view = new DataView(data.buffer, data.byteOffset);
        expect(u32At(data, at)).toBe(view.getUint32(at, true));
        expect(u64At(data, at)).toBe(view.getBigUint64(at, true));
      },
    ),
    { numRuns: 2000 },
  );
});
