import { isLamplightError } from "@lamplight/errors";
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAddress } from "../base58/encode-base58.ts";
import { decodeWireTransaction } from "./decode-wire-transaction.ts";

const addressOf = (byte: number): Address => encodeAddress(new Uint8Array(32).fill(byte)) as Address;
const lifetime = { blockhash: addressOf(7) as string as Blockhash, lastValidBlockHeight: 1n };

const instruction = {
  programAddress: addressOf(50),
  accounts: [
    { address: addressOf(10), role: AccountRole.WRITABLE },
    { address: addressOf(11), role: AccountRole.READONLY },
    { address: addressOf(12), role: AccountRole.READONLY },
  ],
  data: new Uint8Array(200).fill(3),
};

/** Serialized by Kit, as a wallet would. */
const serialize = (version: "legacy" | 0): Uint8Array => {
  if (version === "legacy") {
    const message = pipe(
      createTransactionMessage({ version }),
      (empty) => setTransactionMessageFeePayer(addressOf(1), empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstruction(instruction, timed),
    );
    return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)));
  }
  const message = pipe(
    createTransactionMessage({ version }),
    (empty) => setTransactionMessageFeePayer(addressOf(1), empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstruction(instruction, timed),
    (full) =>
      compressTransactionMessageUsingAddressLookupTables(full, {
        [addressOf(40)]: [addressOf(99), addressOf(12), addressOf(10)],
      }),
  );
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)));
};

const isRefused = (bytes: Uint8Array): boolean => {
  try {
    decodeWireTransaction(bytes);
    return false;
  } catch (error) {
    if (!isLamplightError(error, "CODEC__MALFORMED")) throw error;
    return true;
  }
};

describe("decodeWireTransaction", () => {
  test("reads a legacy transaction", () => {
    const decoded = decodeWireTransaction(serialize("legacy"));
    expect(decoded).toMatchObject({ version: "legacy", lookups: [] });
    expect(decoded.signatures).toEqual([new Uint8Array(64)]);
    expect(encodeAddress(decoded.recentBlockhash)).toBe(addressOf(7));
    const [only] = decoded.instructions;
    const name = (index: number): string => encodeAddress(decoded.staticKeys[index] as Uint8Array);
    expect(name(only?.programIndex ?? 0)).toBe(addressOf(50));
    expect(Array.from(only?.accountIndexes ?? [], name)).toEqual([10, 11, 12].map(addressOf));
    expect(only?.data).toEqual(instruction.data);
  });

  test("reads a version 0 transaction with its lookups, writable ones apart", () => {
    const decoded = decodeWireTransaction(serialize(0));
    expect(decoded.version).toBe(0);
    const keys = decoded.staticKeys.map(encodeAddress);
    expect(keys.toSorted()).toEqual([1, 11, 50].map(addressOf).toSorted());
    expect(decoded.lookups).toEqual([
      {
        table: new Uint8Array(32).fill(40),
        writableIndexes: Uint8Array.of(2),
        readonlyIndexes: Uint8Array.of(1),
      },
    ]);
    // Loaded writable keys count before loaded read-only ones.
    expect([...(decoded.instructions[0]?.accountIndexes ?? [])]).toEqual([3, keys.indexOf(addressOf(11)), 4]);
  });

  test("refuses every cut, bytes left over and unknown versions", () => {
    for (const version of ["legacy", 0] as const) {
      const whole = serialize(version);
      for (let length = 0; length < whole.length; length += 1)
        expect(isRefused(whole.subarray(0, length))).toBe(true);
      expect(isRefused(Uint8Array.from([...whole, 0]))).toBe(true);
    }
    expect(isRefused(serialize(0).with(65, 0x81))).toBe(true);
  });

  test("never does anything but refuse, regardless of the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof isRefused(bytes) === "boolean"),
    );
  });
});
