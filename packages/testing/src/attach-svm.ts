import {
  decodeLookupTable,
  decodeWireTransaction,
  encodeAddress,
  encodeBase58,
  programAddresses,
  type WireTransaction,
} from "@lamplight/codecs";
import type { AddressBytes, Instruction, InstructionGroup, Transaction } from "@lamplight/core";
import { type AddressLike, type ChainWorld, readAddress } from "@lamplight/devchain";

/** The methods of a LiteSVM instance that a chain needs: its Kit form (1.x) or its web3.js form (0.x). */
export interface LiteSvmLike {
  sendTransaction(transaction: never): unknown;
  getAccount(address: never): unknown;
}

export interface Attached {
  /** Stops indexing, and restores the instance's `sendTransaction`. */
  detach(): void;
}

type Draft = Parameters<ChainWorld["setAccount"]>[0];

/** An account in the form of Kit, or of web3.js. */
interface SvmAccount {
  readonly exists?: boolean;
  readonly programAddress?: AddressLike;
  readonly owner?: AddressLike;
  readonly lamports: bigint | number;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

interface SvmMetadata {
  signature(): Uint8Array;
  innerInstructions(): readonly (readonly SvmInner[])[];
}

interface SvmInner {
  instruction(): { programIdIndex(): number; accounts(): Uint8Array; data(): Uint8Array };
  stackHeight(): number;
}

type SvmTransaction =
  | { readonly messageBytes: Uint8Array; readonly signatures: object }
  | { serialize(options?: object): Uint8Array };

/** Wraps `sendTransaction`: writes the accounts and instructions of each executed transaction as one slot. */
export const attachSvm = (svm: LiteSvmLike, write: (work: (world: ChainWorld) => void) => void): Attached => {
  const send = svm.sendTransaction;
  const sendAndIndex = (transaction: never): unknown => {
    const outcome = send.call(svm, transaction);
    // A failed transaction changed nothing but the fee payer's lamports.
    if (isFailed(outcome)) return outcome;
    const executed = readExecuted(svm, transaction, outcome as SvmMetadata);
    write((world) => {
      for (const account of executed.accounts) world.setAccount(account);
      world.sendTransaction(executed.transaction);
    });
    return outcome;
  };
  svm.sendTransaction = sendAndIndex;
  return {
    detach: () => {
      if (svm.sendTransaction === sendAndIndex) svm.sendTransaction = send;
    },
  };
};

const isFailed = (outcome: unknown): boolean =>
  typeof outcome === "object" && outcome !== null && "err" in outcome;

const readExecuted = (
  svm: LiteSvmLike,
  given: SvmTransaction,
  metadata: SvmMetadata,
): { readonly accounts: readonly Draft[]; readonly transaction: Transaction } => {
  const wire = decodeWireTransaction(wireBytes(given));
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

const signatureBytes = 64;

/** The transaction in wire format. Signatures of Kit's form are zeros, because only the message is read. */
const wireBytes = (transaction: SvmTransaction): Uint8Array => {
  if ("messageBytes" in transaction) {
    const count = Object.keys(transaction.signatures).length;
    return Buffer.concat([
      Buffer.from([count]),
      Buffer.alloc(count * signatureBytes),
      transaction.messageBytes,
    ]);
  }
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
};

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
const readAccount = (svm: LiteSvmLike, address: AddressBytes): Draft | null => {
  const found = findAccount(svm, address);
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

/** LiteSVM 1.x takes an address as text. LiteSVM 0.x takes a `PublicKey`, and calls only its `toBytes`. */
const findAccount = (svm: LiteSvmLike, address: AddressBytes): SvmAccount | null => {
  const get = svm.getAccount as (key: unknown) => SvmAccount | null;
  try {
    return get.call(svm, encodeAddress(address));
  } catch {
    return get.call(svm, { toBytes: () => address });
  }
};
