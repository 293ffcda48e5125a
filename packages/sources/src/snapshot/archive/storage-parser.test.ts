import { writeRecord, writeStorage } from "@lamplight/devchain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storedAccount } from "../../../test/synthetic-archive.ts";
import { ArchiveFault } from "./archive-fault.ts";
import { StorageParser } from "./storage-parser.ts";

interface Taken {
  readonly offset: number;
  readonly bytes: string;
}

/** Pushes the bytes in pieces of these lengths, over and over. */
const parse = (
  bytes: Buffer,
  pieces: readonly number[],
  valid = bytes.length,
  isLengthKnown = true,
): Taken[] => {
  const taken: Taken[] = [];
  const parser = new StorageParser(valid, isLengthKnown, (chunk, at, dataLength, offset) => {
    taken.push({ offset, bytes: chunk.toString("hex", at, at + 136 + dataLength) });
  });
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const length = pieces[piece % pieces.length] as number;
    parser.write(Buffer.from(bytes.subarray(at, at + length)));
    at += length;
  }
  parser.end();
  return taken;
};

const accounts = [0, 1, 8, 165, 1000, 5].map((length, index) =>
  storedAccount(index, { data: new Uint8Array(length).fill(index + 1) }),
);
const storage = writeStorage(accounts);

const broken = (at: number, byte: number): Buffer => {
  const bytes = Buffer.concat([storage, writeRecord(storedAccount("last"))]);
  bytes[storage.length + at] = byte;
  return bytes;
};

describe("StorageParser", () => {
  test("finds the same records however the bytes come", () => {
    const whole = parse(storage, [storage.length]);
    expect(whole.length).toBe(accounts.length);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }), (pieces) => {
        expect(parse(storage, pieces)).toEqual(whole);
      }),
    );
    expect(parse(storage, [1])).toEqual(whole);
  });

  test("ends with the data of the last record, and never looks behind the valid bytes", () => {
    const exact = storage.length - 3;
    expect(parse(storage.subarray(0, exact), [100]).length).toBe(accounts.length);
    const withTail = Buffer.concat([storage, writeRecord(storedAccount("stale")), Buffer.alloc(50, 255)]);
    for (const pieces of [[7], [512], [withTail.length]]) {
      expect(parse(withTail, pieces, exact).length).toBe(accounts.length);
    }
  });

  test("ends at a tail of zeros", () => {
    const padded = Buffer.concat([storage, Buffer.alloc(4096)]);
    expect(parse(padded, [333]).length).toBe(accounts.length);
    expect(parse(padded, [333], padded.length, false).length).toBe(accounts.length);
  });

  test("reports a record that is cut off from one that is not there", () => {
    const cut = storage.subarray(0, storage.length - 30);
    expect(() => parse(cut, [64])).toThrow("middle of an account");
    expect(parse(cut, [64], cut.length, false).length).toBe(accounts.length - 1);
  });

  test("refuses what no account can be, with its place", () => {
    for (const bytes of [broken(96, 2), broken(15, 0x80), broken(11, 1)]) {
      const fault = catchFault(() => parse(bytes, [200]));
      expect(fault.offset).toBe(storage.length);
    }
  });
});

const catchFault = (run: () => unknown): ArchiveFault => {
  try {
    run();
  } catch (error) {
    if (error instanceof ArchiveFault) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};
