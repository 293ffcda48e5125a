import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceData } from "./slice-data.ts";
import { encodeZstd } from "./zstd.ts";

const shared = process.env.LAMPLIGHT_SHARED ?? resolve(import.meta.dirname, "../../../../../shared");
const published = resolve(shared, "accounts/kit-expected.json");
if (!existsSync(published)) console.warn(`skipped: ${published} is missing`);

describe.skipIf(!existsSync(published))("published node answers", () => {
  const answers = existsSync(published) ? readFileSync(published, "utf8") : "";
  const frames = [...answers.matchAll(/"([A-Za-z0-9+/=]+)","base64\+zstd"/g)].map(([, frame = ""]) => frame);

  test("hold frames to compare with", () => {
    expect(frames.length).toBeGreaterThan(0);
  });

  test.each(frames)("%s is written the same", async (frame) => {
    const data = zstdDecompressSync(Buffer.from(frame, "base64"));
    expect(await encodeZstd(new Uint8Array(data))).toBe(frame);
  });
});

describe("encodeZstd", () => {
  test("answers the node's frame for no data", async () => {
    expect(await encodeZstd(new Uint8Array(0))).toBe("KLUv/SAAAQAA");
  });

  test("writes a frame without size or checksum that unpacks to the data", async () => {
    const sizes = fc.constantFrom(1, 5, 165, 679, 3731, 131_071, 131_072, 131_073, 300_000);
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer(), async (size, seed) => {
        const data = Uint8Array.from({ length: size }, (_, index) =>
          index % 7 === 0 ? (index * seed) >> 3 : 7,
        );
        const frame = Buffer.from(await encodeZstd(data), "base64");
        expect(frame.subarray(0, 6).toString("hex")).toBe("28b52ffd0058");
        expect(new Uint8Array(zstdDecompressSync(frame))).toEqual(data);
      }),
      { numRuns: 20 },
    );
  });

  test("reads a view, not the buffer behind it", async () => {
    const data = Uint8Array.from([9, 9, 1, 2, 3, 9]).subarray(2, 5);
    expect(await encodeZstd(data)).toBe(await encodeZstd(Uint8Array.from([1, 2, 3])));
  });
});

describe("sliceData", () => {
  const data = Uint8Array.from([0, 1, 2, 3, 4]);

  test.each([
    [0, 5, [0, 1, 2, 3, 4]],
    [1, 2, [1, 2]],
    [4, 9, [4]],
    [5, 1, []],
    [6, 1, []],
    [0, 0, []],
    [2n ** 64n - 1n, 2n ** 64n - 1n, []],
    [3n, 2n ** 64n - 1n, [3, 4]],
    [Number.MAX_SAFE_INTEGER, 1, []],
  ])("from %s for %s bytes", (offset, length, expected) => {
    expect([...sliceData(data, { offset, length })]).toEqual(expected);
  });

  test("without bounds is the data itself", () => {
    expect(sliceData(data, null)).toBe(data);
  });
});
