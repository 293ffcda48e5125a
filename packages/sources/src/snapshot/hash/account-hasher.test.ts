import { hash } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";
import { batchLayout, batchRecordBytes } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { merkleRootOf, storedAccount } from "../../../test/synthetic-archive.ts";
import { AccountHasher, addLattice, type HashedFields, LATTICE_BYTES } from "./account-hasher.ts";
import { MerkleRoot } from "./merkle-root.ts";

const hasher = new AccountHasher();

const patterned = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 7 + 3) % 251);

describe("hashBytes", () => {
  // The borders of blocks, chunks and trees of chunks.
  test.each([
    0, 1, 63, 64, 65, 127, 128, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 3073, 4096, 5121, 8192, 31_744,
    102_400, 1_000_003,
  ])("equals another implementation for %i bytes", (length) => {
    const bytes = patterned(length);
    expect(Buffer.from(hasher.hashBytes(bytes))).toEqual(Buffer.from(blake3(bytes)));
  });

  test("equals it for any bytes, in any order", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(Buffer.from(hasher.hashBytes(bytes))).toEqual(Buffer.from(blake3(bytes)));
      }),
    );
  });
});

const fieldsOf = (dataLength: number, withRentEpoch: boolean): HashedFields => ({
  lamports: patterned(8),
  rentEpoch: withRentEpoch ? patterned(8) : null,
  data: patterned(dataLength),
  executable: 1,
  programOwner: hash("sha256", "owner", "buffer"),
  address: hash("sha256", "address", "buffer"),
});

const latticeOf = (fields: HashedFields): Uint8Array =>
  blake3(
    Buffer.concat([
      fields.lamports,
      fields.rentEpoch ?? Buffer.alloc(0),
      fields.data,
      Uint8Array.of(fields.executable),
      fields.programOwner,
      fields.address,
    ]),
    { dkLen: LATTICE_BYTES },
  ).slice();

describe("the lattice sum", () => {
  test("adds 2048 bytes per account, number by number", () => {
    const expected = new Uint8Array(LATTICE_BYTES);
    for (const length of [0, 1, 55, 165, 679, 951, 952, 1500, 1975, 4023, 70_000]) {
      for (const withRentEpoch of [true, false]) {
        const fields = fieldsOf(length, withRentEpoch);
        hasher.addToLattice(fields);
        addLattice(expected, latticeOf(fields));
      }
    }
    expect(Buffer.from(hasher.takeLattice())).toEqual(Buffer.from(expected));
    expect(hasher.takeLattice().every((byte) => byte === 0)).toBe(true);
  });
});

const recordOf = ({ lamports, rentEpoch, data, executable, programOwner, address }: HashedFields): Buffer => {
  const record = Buffer.alloc(batchRecordBytes(data.length), 0xee);
  record.writeUInt32LE(data.length, batchLayout.dataLength);
  record.set(lamports, batchLayout.lamports);
  record.set(rentEpoch ?? [], batchLayout.rentEpoch);
  record.set(data, batchLayout.data);
  record[batchLayout.executable] = executable;
  record.set(programOwner, batchLayout.programOwner);
  record.set(address, batchLayout.address);
  return record;
};

describe("the lattice sum of records", () => {
  test("is that of the accounts, regardless of their lengths and their order", () => {
    const fields = fc.tuple(
      fc.oneof(fc.constantFrom(0, 82, 165, 679), fc.nat({ max: 1100 })),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 40 }), fc.boolean(), (accounts, withRentEpoch) => {
        const expected = new Uint8Array(LATTICE_BYTES);
        for (const [length, address, isExecutable] of accounts) {
          const account = {
            ...fieldsOf(length, withRentEpoch),
            address,
            executable: Number(isExecutable),
          };
          hasher.addRecordToLattice(recordOf(account), 0, withRentEpoch);
          addLattice(expected, latticeOf(account));
        }
        expect(Buffer.from(hasher.takeLattice())).toEqual(Buffer.from(expected));
      }),
      { numRuns: 60 },
    );
  });
});

describe("MerkleRoot", () => {
  test.each([1, 2, 15, 16, 17, 255, 256, 257, 300])(
    "of %i accounts is the root of the plain definition",
    (count) => {
      const accounts = Array.from({ length: count }, (_, index) => ({ ...storedAccount(index), slot: 1 }));
      const root = new MerkleRoot();
      const inOrder = accounts.toSorted((a, b) => Buffer.compare(a.address, b.address));
      for (const { lamports, rentEpoch, executable, ...rest } of inOrder) {
        const [lamportBytes, rentBytes] = [lamports, rentEpoch].map((value) => {
          const bytes = Buffer.alloc(8);
          bytes.writeBigUInt64LE(value);
          return bytes;
        }) as [Buffer, Buffer];
        root.add(
          hasher.hashAccount({
            ...rest,
            lamports: lamportBytes,
            rentEpoch: rentBytes,
            executable: Number(executable),
          }),
        );
      }
      expect(Buffer.from(root.root())).toEqual(Buffer.from(merkleRootOf(accounts)));
    },
  );
});
