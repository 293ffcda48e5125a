import { decodeLookupTable, encodeBase58, programAddresses, type WireTransaction } from "@lamplight/codecs";
import type { AddressBytes, Instruction, InstructionGroup, Transaction } from "@lamplight/core";
import { type ChainWorld, readAddress } from "@lamplight/devchain";
import {
  byAddress,
  type LiteSvmLike,
  readWire,
  type SvmAccount,
  type SvmMetadata,
  type SvmTransaction,
  wireBytes,
} from "./lite-svm.ts";

type Draft = Parameters<ChainWorld["setAccount"]>[0];

/** A transaction that was executed, with the accounts that it names as they are now. */
export const readExecuted = (
  svm: LiteSvmLike,
  given: SvmTransaction,
  metadata: SvmMetadata,
): { readonly accounts: readonly Draft[]; readonly transaction: Transaction } => {
  const wire = readWire(wireBytes(given));
  const keys = [...wire.staticKeys, ...loadedKeys(svm, wire)];
  const accounts = keys.flatMap((address) => readAccount(svm, address) ?? []);
  const groups = wire.instructions.map((outer, index): InstructionGroup => {
    const { programIndex, accountIndexes, data } = outer;
    const inner = metadata.innerInstructions()[index] ?? [];
    return {
      outer: instructionOf(keys, programIndex, accountIndexes, data, 1),
      inner: inner.map((one) => {
        const called = one.instruction();
        const program = called.programIdIndex();
        return instructionOf(keys, program, called.accounts(), called.data(), one.stackHeight());
      }),
    };
  });
  const signature = encodeBase58(metadata.signature());
  return { accounts, transaction: { signature, slot: 0, index: null, failed: false, groups } };
};

const instructionOf = (
  keys: readonly AddressBytes[],
  program: number,
  accounts: Uint8Array,
  data: Uint8Array,
  stackHeight: number,
): Instruction => ({
  programAddress: keys[program]!,
  accounts: [...accounts].map((index) => keys[index]!),
  data,
  stackHeight,
});

/** Keys from lookup tables: all writable ones, then all read-only ones. */
const loadedKeys = (svm: LiteSvmLike, { lookups }: WireTransaction): readonly AddressBytes[] => {
  const tables = lookups.map(({ table }) => {
    const data = readAccount(svm, table)?.data;
    const decoded = data === undefined ? null : decodeLookupTable(data);
    return decoded?.kind === "lookupTable" ? decoded.addresses : [];
  });
  const pick = (side: "writableIndexes" | "readonlyIndexes") =>
    lookups.flatMap((lookup, table) => [...lookup[side]].map((index) => tables[table]![index]!));
  return [...pick("writableIndexes"), ...pick("readonlyIndexes")];
};

/** Null for a program account, which is not copied. Zero lamports for an account that does not exist. */
export const readAccount = (svm: LiteSvmLike, address: AddressBytes): Draft | null => {
  const found = byAddress<SvmAccount | null>(address, (key) => svm.getAccount(key));
  const base = { address, rentEpoch: 2n ** 64n - 1n, executable: false };
  if (found === null || found.exists === false || BigInt(found.lamports) === 0n)
    return { ...base, programOwner: programAddresses.system, lamports: 0n, data: new Uint8Array(0) };
  if (found.executable) return null;
  return {
    ...base,
    programOwner: readAddress((found.programAddress ?? found.owner)!, "owner"),
    lamports: BigInt(found.lamports),
    data: Uint8Array.from(found.data),
  };
};
