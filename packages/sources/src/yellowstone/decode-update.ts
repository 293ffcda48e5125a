import { encodeBase58 } from "@lamplight/codecs";
import type { BankId, Instruction, InstructionGroup, Slot, Transaction } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { type AccountUpdate, decodeAccountUpdate } from "./decode-account.ts";
import { WireCursor } from "./wire-cursor.ts";
import { asBytes, asCount, asText, asU64, readFields, type WireValue } from "./wire-reader.ts";

export type SlotStatus =
  | "processed"
  | "confirmed"
  | "finalized"
  | "firstShredReceived"
  | "completed"
  | "createdBank"
  | "dead";

const statuses: readonly SlotStatus[] = [
  "processed",
  "confirmed",
  "finalized",
  "firstShredReceived",
  "completed",
  "createdBank",
  "dead",
];

/** One message of the stream, with the fields that an index needs. */
export type YellowstoneUpdate =
  | AccountUpdate
  | {
      readonly kind: "slot";
      readonly slot: Slot;
      readonly parent: Slot | null;
      readonly status: SlotStatus;
      readonly deadError: string | null;
      readonly bank?: BankId;
    }
  | {
      readonly kind: "transaction";
      readonly transaction: Transaction;
      readonly isVote: boolean;
      readonly bank?: BankId;
    }
  | {
      readonly kind: "blockMeta";
      readonly slot: Slot;
      readonly blockhash: string;
      readonly parent: Slot;
      readonly parentBlockhash: string;
      readonly transactionCount: number;
      readonly bank?: BankId;
    }
  | { readonly kind: "ping" }
  | { readonly kind: "pong"; readonly id: number }
  /** A kind of message that was not requested, or that this decoder does not know. */
  | { readonly kind: "other" };

/** Fields of SubscribeUpdate that hold the message itself. */
const kinds = { account: 2, slot: 3, transaction: 4, ping: 6, blockMeta: 7, pong: 9 } as const;

/**
 * Decodes one SubscribeUpdate. Missing fields have the defaults of proto3. All values are copied.
 *
 * @throws LamplightError `SOURCE__BAD_MESSAGE`
 */
export const decodeUpdate = (message: Uint8Array): YellowstoneUpdate => {
  top.reset(message);
  while (top.next()) {
    switch (top.field) {
      case kinds.account:
        return decodeAccountUpdate(message, top.from, top.to);
      case kinds.slot:
        return decodeSlot(message.subarray(top.from, top.to));
      case kinds.transaction:
        return decodeTransactionUpdate(message.subarray(top.from, top.to));
      case kinds.ping:
        return { kind: "ping" };
      case kinds.blockMeta:
        return decodeBlockMeta(message.subarray(top.from, top.to));
      case kinds.pong:
        return {
          kind: "pong",
          id: Number(BigInt.asIntN(32, numberIn(message.subarray(top.from, top.to), 1))),
        };
      default:
    }
  }
  return { kind: "other" };
};

const top = new WireCursor();

const decodeSlot = (message: Uint8Array): YellowstoneUpdate => {
  const { 1: slot, 2: parent, 3: status, 4: deadError, 5: bank } = lastFields(message);
  const word = statuses[countOf(status)];
  // A status of a newer server that an index does not need.
  if (word === undefined) return { kind: "other" };
  return {
    kind: "slot",
    slot: countOf(slot),
    parent: parent === undefined ? null : asCount(parent),
    status: word,
    deadError: deadError === undefined ? null : asText(deadError),
    ...bankOf(bank),
  };
};

const decodeBlockMeta = (message: Uint8Array): YellowstoneUpdate => {
  const fields = lastFields(message);
  return {
    kind: "blockMeta",
    slot: countOf(fields[1]),
    blockhash: fields[2] === undefined ? "" : asText(fields[2]),
    parent: countOf(fields[6]),
    parentBlockhash: fields[7] === undefined ? "" : asText(fields[7]),
    transactionCount: countOf(fields[8]),
    ...bankOf(fields[10]),
  };
};

const decodeTransactionUpdate = (message: Uint8Array): YellowstoneUpdate => {
  const { 1: wrapped, 2: slot, 3: bank } = lastFields(message);
  const info = lastFields(wrapped === undefined ? none : asBytes(wrapped));
  const meta = info[4] === undefined ? none : asBytes(info[4]);
  const failed = lastFields(meta)[1] !== undefined;
  return {
    kind: "transaction",
    isVote: u64Of(info[2]) !== 0n,
    transaction: {
      signature: encodeBase58(assertLength("signature", SIGNATURE_BYTES, info[1])),
      slot: countOf(slot),
      index: countOf(info[5]),
      failed,
      groups: failed ? [] : decodeGroups(info[3] === undefined ? none : asBytes(info[3]), meta),
    },
    ...bankOf(bank),
  };
};

/** Keys in the order that instructions count them: static, then loaded writable, then loaded read-only. */
const decodeGroups = (transaction: Uint8Array, meta: Uint8Array): readonly InstructionGroup[] => {
  const wrapped = lastFields(transaction)[2];
  const message = wrapped === undefined ? none : asBytes(wrapped);
  const keys = [...bytesIn(message, 2), ...bytesIn(meta, 12), ...bytesIn(meta, 13)].map((key) =>
    Uint8Array.from(assertLength("account key", ADDRESS_BYTES, key)),
  );
  const inner = new Map<number, Instruction[]>();
  for (const entry of bytesIn(meta, 5)) {
    const index = Number(numberIn(entry, 1));
    const list = inner.get(index) ?? [];
    for (const instruction of bytesIn(entry, 2)) list.push(decodeInstruction(instruction, keys, null));
    inner.set(index, list);
  }
  return bytesIn(message, 4).map((instruction, index) => ({
    outer: decodeInstruction(instruction, keys, 1),
    inner: inner.get(index) ?? [],
  }));
};

const decodeInstruction = (
  message: Uint8Array,
  keys: readonly Uint8Array[],
  knownHeight: number | null,
): Instruction => {
  const { 1: program, 2: accounts, 3: data, 4: height } = lastFields(message);
  return {
    programAddress: keyAt(keys, countOf(program)),
    accounts: Array.from(accounts === undefined ? none : asBytes(accounts), (index) => keyAt(keys, index)),
    data: data === undefined ? none : Uint8Array.from(asBytes(data)),
    stackHeight: knownHeight ?? (height === undefined ? null : asCount(height)),
  };
};

const none = new Uint8Array(0);
const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

const assertLength = (what: string, bytes: number, value: WireValue | undefined): Uint8Array => {
  const found = value === undefined ? none : asBytes(value);
  if (found.length === bytes) return found;
  throw new LamplightError("SOURCE__BAD_MESSAGE", { reason: `has a ${what} of ${found.length} bytes` });
};

/** Fields by number. The last one of a repeated field counts, as proto3 requires for single ones. */
const lastFields = (message: Uint8Array): Readonly<Record<number, WireValue | undefined>> =>
  Object.fromEntries(readFields(message));

const bytesIn = (message: Uint8Array, wanted: number): Uint8Array[] => {
  const found: Uint8Array[] = [];
  for (const [field, value] of readFields(message)) if (field === wanted) found.push(asBytes(value));
  return found;
};

const numberIn = (message: Uint8Array, wanted: number): bigint => u64Of(lastFields(message)[wanted]);

const u64Of = (value: WireValue | undefined): bigint => (value === undefined ? 0n : asU64(value));
const countOf = (value: WireValue | undefined): number => (value === undefined ? 0 : asCount(value));

/** Servers that do not know the bank send 0 or nothing. */
const bankOf = (value: WireValue | undefined): { readonly bank?: BankId } => {
  const bank = u64Of(value);
  return bank === 0n ? {} : { bank };
};

const keyAt = (keys: readonly Uint8Array[], index: number): Uint8Array => {
  const key = keys[index];
  if (key !== undefined) return key;
  throw new LamplightError("SOURCE__BAD_MESSAGE", { reason: `names account ${index} of ${keys.length}` });
};
