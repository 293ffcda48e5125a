import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decompressLz4 } from "./lz4-frames.ts";

const hasLz4 = spawnSync("lz4", ["--version"]).status === 0;
if (!hasLz4) console.warn("skipped: no lz4 command, so LZ4 frames of another hand are not read");

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length)
    yield await Promise.resolve(bytes.subarray(at, at + length));
}

const decode = async (bytes: Buffer, piece = 1000): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of decompressLz4(inPieces(bytes, piece))) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};

/** Repeats at all distances, and stretches that do not compress. */
const content = Buffer.concat(
  Array.from({ length: 4000 }, (_, index) => {
    const noise = createHash("sha256")
      .update(String(index % 900))
      .digest();
    return index % 7 === 0 ? Buffer.concat([noise, Buffer.alloc(index % 300, 5)]) : noise;
  }),
);

const compress = (args: readonly string[], input: Buffer): Buffer =>
  spawnSync("lz4", ["-c", ...args], { input, maxBuffer: 64 * 1024 * 1024 }).stdout;

const nothing = Buffer.alloc(0);
// A frame of one stored block: flags 0x60, blocks up to 64 KiB, and the checksum of these two bytes.
const storedFrame = Buffer.from("04224d1860408205000080686920686900000000", "hex");

describe.skipIf(!hasLz4)("decompressLz4", () => {
  test.each([
    ["independent blocks", ["-B4"]],
    ["linked blocks", ["-B4", "-BD"]],
    ["linked large blocks", ["-B7", "-BD"]],
    ["block checksums", ["-B5", "-BX"]],
    ["a content size", ["-B6", "--content-size"]],
    ["no content checksum", ["--no-frame-crc"]],
    ["high compression", ["-9", "-BD"]],
  ] as const)("reads frames with %s", async (_, args) => {
    const frame = compress(args, content);
    expect((await decode(frame)).equals(content)).toBe(true);
    expect((await decode(frame, 7)).equals(content)).toBe(true);
    const twice = Buffer.concat([frame, Buffer.from("502a4d1803000000aabbcc", "hex"), frame]);
    expect((await decode(twice)).equals(Buffer.concat([content, content]))).toBe(true);
  });

  test("notices a flipped byte and a cut", async () => {
    const frame = compress(["-B4", "-BX"], content);
    for (let at = 4; at < frame.length; at += 997) {
      const broken = Buffer.from(frame);
      broken[at] = (broken[at] as number) ^ 0x55;
      await expect(decode(broken), `byte ${at}`).rejects.toThrow();
      await expect(decode(frame.subarray(0, at)), `cut at ${at}`).rejects.toThrow();
    }
  });
});

test("reads a stored block, and nothing from nothing", async () => {
  expect((await decode(storedFrame)).toString()).toBe("hi hi");
  expect((await decode(nothing)).length).toBe(0);
  await expect(decode(Buffer.from("not lz4 at all"))).rejects.toThrow("begins no LZ4 frame");
});
