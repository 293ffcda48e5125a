import { describe, expect, test } from "vitest";
import { BorshWriter } from "../borsh/borsh-writer.ts";
import { findApplicationData } from "./application-data.ts";
import { findChangeLog, pathNode } from "./change-log.ts";
import { emptyNode } from "./merkle.ts";
import { canopyNode, findTreeAccount, findTreeTop } from "./tree-account.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

const changeLog = (depth: number, leafIndex: number, seq = 5n): Uint8Array => {
  const writer = new BorshWriter()
    .u8(0)
    .u8(0)
    .bytes(key(1))
    .u32(depth + 1);
  for (let level = 0; level <= depth; level += 1) {
    writer.bytes(key(level + 2)).u32(2 ** (depth - level) + Math.floor(leafIndex / 2 ** level));
  }
  return writer.u64(seq).u32(leafIndex).finish().slice();
};

describe("findChangeLog", () => {
  test.each([
    [3, 7],
    [14, 5],
    [30, 2 ** 30 - 1],
  ])("reads a path of depth %i for leaf %i", (depth, leafIndex) => {
    expect(findChangeLog(changeLog(depth, leafIndex))).toEqual({
      tree: key(1),
      seq: 5,
      leafIndex,
      depth,
      leaf: key(2),
      merkleRoot: key(depth + 2),
      path: expect.any(Uint8Array),
    });
    const log = findChangeLog(changeLog(depth, leafIndex))!;
    for (let level = 0; level <= depth; level += 1) expect(pathNode(log, level)).toEqual(key(level + 2));
  });

  test("answers null for anything cut short, longer, of another version or with a path to another leaf", () => {
    const whole = changeLog(3, 2);
    for (let length = 0; length < whole.length; length += 1) {
      expect(findChangeLog(whole.subarray(0, length))).toBeNull();
    }
    expect(findChangeLog(Uint8Array.from([...whole, 0]))).toBeNull();
    expect(findChangeLog(whole.with(1, 1))).toBeNull();
    expect(findChangeLog(whole.with(whole.length - 4, 3))).toBeNull();
    expect(findChangeLog(changeLog(31, 0))).toBeNull();
    expect(findChangeLog(changeLog(3, 2, 2n ** 53n))).toBeNull();
  });
});

describe("findApplicationData", () => {
  test("answers what is wrapped, and null when the length is not that of the bytes", () => {
    const payload = Uint8Array.of(1, 0, 2, 0, 0, 0, 7, 8);
    expect(findApplicationData(payload)).toEqual(Uint8Array.of(7, 8));
    expect(findApplicationData(payload.with(2, 3))).toBeNull();
    expect(findApplicationData(payload.with(2, 1))).toBeNull();
    expect(findApplicationData(payload.with(0, 0))).toBeNull();
  });
});

describe("findTreeAccount", () => {
  const bytes = Buffer.alloc(200);
  bytes[0] = 1;
  bytes.writeUInt32LE(64, 2);
  bytes.writeUInt32LE(14, 6);
  bytes.fill(9, 10, 42);
  bytes.writeBigUInt64LE(1234n, 42);
  bytes.writeBigUInt64LE(99n, 56);
  bytes.writeBigUInt64LE(3n, 64);
  bytes.writeBigUInt64LE(4n, 72);

  test("reads the header and the change counter", () => {
    expect(findTreeAccount(Uint8Array.from(bytes))).toEqual({
      bufferSizeMax: 64,
      depthMax: 14,
      authority: key(9),
      creationSlot: 1234,
      seq: 99,
      activeIndex: 3n,
      bufferSize: 4n,
    });
  });

  test("answers null for another account type or header, and for cut bytes", () => {
    expect(findTreeAccount(bytes.with(0, 0))).toBeNull();
    expect(findTreeAccount(bytes.with(1, 1))).toBeNull();
    expect(findTreeAccount(bytes.subarray(0, 79))).toBeNull();
    expect(findTreeAccount(new Uint8Array(0))).toBeNull();
  });
});

describe("findTreeTop", () => {
  const depth = 3;
  const logBytes = 32 * (depth + 1) + 8;
  const bytes = Buffer.alloc(80 + 3 * logBytes);
  bytes[0] = 1;
  bytes.writeUInt32LE(2, 2);
  bytes.writeUInt32LE(depth, 6);
  bytes.writeBigUInt64LE(1234n, 42);
  bytes.writeBigUInt64LE(1n, 64);
  bytes.fill(7, 80 + logBytes, 80 + logBytes + 32);
  bytes.writeUInt32LE(6, 80 + 3 * logBytes - 8);

  const withCanopy = (...nodes: readonly Uint8Array[]) =>
    findTreeTop(Uint8Array.from(Buffer.concat([bytes, ...nodes])))!;

  test("reads root, leaves and creation from the newest change log and the right-most proof", () => {
    expect(findTreeTop(Uint8Array.from(bytes))).toEqual({
      depth,
      merkleRoot: key(7),
      leafCount: 6,
      creationSlot: 1234,
      canopyDepth: 0,
      canopy: new Uint8Array(0),
      accountBytes: bytes.length,
    });
  });

  test("reads a canopy of the levels that its length gives, with empty nodes where none was written", () => {
    const top = withCanopy(...[1, 2, 3, 4, 5, 0].map(key));
    expect(top.canopyDepth).toBe(2);
    expect([0, 1].map((place) => canopyNode(top, 2, place))).toEqual([1, 2].map(key));
    expect([0, 1, 2].map((place) => canopyNode(top, 1, place))).toEqual([3, 4, 5].map(key));
    expect(canopyNode(top, 1, 3)).toEqual(emptyNode(1));
    const depthOf = (nodes: number) => withCanopy(new Uint8Array(32 * nodes)).canopyDepth;
    expect([2, 14].map(depthOf)).toEqual([1, depth]);
    // The programs have no such trees.
    expect([1, 5, 30].map(depthOf)).toEqual([0, 0, 0]);
  });

  test("answers null for cut bytes, and for a change log outside of the ring", () => {
    expect(findTreeTop(bytes.subarray(0, -1))).toBeNull();
    expect(findTreeTop(bytes.with(64, 2))).toBeNull();
    expect(findTreeTop(bytes.with(0, 0))).toBeNull();
  });
});
