import {
  decodeBase58,
  decodeWireTransaction,
  encodeBase58,
  transactionPrograms,
  sameBytes,
  type WireTransaction,
} from "@lamplight/codecs";
import type { AddressBytes, InstructionGroup, Slot, Transaction } from "@lamplight/core";
import { WIRE_TEXT_LIMIT } from "./transaction-limits.ts";
import { parseGroups, parseKeys, wireGroups } from "./parse-instructions.ts";
import { isMembers, type Members } from "../json-kind.ts";
import {
  counterOf,
  listOf,
  membersOf,
  optionalListOf,
  textOf,
  TransactionFault,
} from "./transaction-fault.ts";

const signatureText = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/**
 * The transactions of one JSON value, in any of these forms: the answer of getTransaction (encodings json,
 * jsonParsed, base64 and base58; also inside a whole JSON-RPC response), the answer of getBlock, or the flat form
 * with `accountKeys` and `instructions` at the top. Lookup tables are resolved by what the node says it loaded.
 *
 * Failed transactions come with `failed` and without instructions.
 *
 * @param value - as `JSON.parse` gives it
 * @param blockSlot - slot of a block, which its answer does not contain; null when not known
 * @throws TransactionFault naming the member
 */
export const parseTransactions = (value: unknown, blockSlot: Slot | null): readonly Transaction[] => {
  const answer = membersOf(value, "the transaction");
  if ("jsonrpc" in answer) return parseTransactions(resultOf(answer), blockSlot);
  if (Array.isArray(answer["transactions"])) return parseBlock(answer, answer["transactions"], blockSlot);
  if ("accountKeys" in answer) return [parseFlat(answer)];
  if (!("transaction" in answer)) {
    throw new TransactionFault("is no transaction: it has neither transaction, transactions nor accountKeys");
  }
  return [parseAnswer(answer, slotOf(answer), null)];
};

const resultOf = (response: Members): unknown => {
  const result = response["result"];
  if (isMembers(result)) return result;
  throw new TransactionFault(
    response["error"] === undefined ? "the node did not know it" : "is an error response",
  );
};

const slotOf = (members: Members): Slot => counterOf(members["slot"], "slot");

const parseBlock = (
  block: Members,
  transactions: readonly unknown[],
  blockSlot: Slot | null,
): readonly Transaction[] => {
  const slot = block["slot"] === undefined ? blockSlot : slotOf(block);
  if (slot === null) {
    throw new TransactionFault(
      "is a block without its slot: add a member `slot` or end the file name in the slot",
    );
  }
  const parentSlot = block["parentSlot"];
  if (typeof parentSlot === "number" && parentSlot >= slot) {
    throw new TransactionFault(`slot ${slot} is not above the block's parent slot ${parentSlot}`);
  }
  return transactions.map((each, index) => {
    try {
      return parseAnswer(membersOf(each, "it"), slot, index);
    } catch (cause) {
      if (!(cause instanceof TransactionFault)) throw cause;
      throw new TransactionFault(`transaction ${index + 1}: ${cause.message}`, { cause });
    }
  });
};

/** The flat form: complete keys, with `err` next to them. */
const parseFlat = (flat: Members): Transaction => {
  const signature = parseSignature(flat["signature"]);
  const head = { signature, slot: slotOf(flat), index: null };
  if (isFailed(flat["err"])) return { ...head, failed: true, groups: [] };
  const keys = parseKeys(flat["accountKeys"], "accountKeys");
  const inner = innerOf(flat["innerInstructions"], keys);
  return { ...head, failed: false, groups: parseGroups(flat["instructions"], inner, keys) };
};

const parseAnswer = (answer: Members, slot: Slot, index: number | null): Transaction => {
  if (answer["meta"] === null || answer["meta"] === undefined) {
    throw new TransactionFault("has no meta: whether it succeeded and what it called is not known");
  }
  const meta = membersOf(answer["meta"], "meta");
  const failed = isFailed(meta["err"]);
  const body = answer["transaction"];
  if (isMembers(body)) {
    const signature = parseSignature(listOf(body["signatures"], "signatures")[0]);
    const groups = failed ? [] : messageGroups(membersOf(body["message"], "message"), meta);
    return { signature, slot, index, failed, groups };
  }
  const wire = parseWire(body);
  const first = wire.signatures[0];
  if (first === undefined) throw new TransactionFault("has no signature");
  return {
    signature: encodeBase58(first),
    slot,
    index,
    failed,
    groups: failed ? [] : serializedGroups(wire, meta),
  };
};

const isFailed = (err: unknown): boolean => err !== null && err !== undefined;

const messageGroups = (message: Members, meta: Members): readonly InstructionGroup[] => {
  const listed = listOf(message["accountKeys"], "accountKeys");
  // The jsonParsed form lists the loaded keys with the others.
  const isComplete = isMembers(listed[0]) && "source" in listed[0];
  const lookups = isComplete ? [] : optionalListOf(message["addressTableLookups"], "addressTableLookups");
  const loaded = isComplete ? [] : loadedKeys(meta, lookups.length > 0);
  const keys = [...parseKeys(listed, "accountKeys"), ...loaded];
  return parseGroups(message["instructions"], innerOf(meta["innerInstructions"], keys), keys);
};

const serializedGroups = (wire: WireTransaction, meta: Members): readonly InstructionGroup[] => {
  const keys = [...wire.staticKeys, ...loadedKeys(meta, wire.lookups.length > 0)];
  return wireGroups(wire.instructions, innerOf(meta["innerInstructions"], keys), keys);
};

const loadedKeys = (meta: Members, needed: boolean): readonly AddressBytes[] => {
  if (meta["loadedAddresses"] === undefined || meta["loadedAddresses"] === null) {
    if (needed) throw new TransactionFault("uses lookup tables, but meta.loadedAddresses is missing");
    return [];
  }
  const loaded = membersOf(meta["loadedAddresses"], "loadedAddresses");
  return [
    ...parseKeys(loaded["writable"], "loadedAddresses.writable"),
    ...parseKeys(loaded["readonly"], "loadedAddresses.readonly"),
  ];
};

const isRead = (key: AddressBytes): boolean => transactionPrograms.some((program) => sameBytes(program, key));

/** Null means that the node did not record them. Then every event of a compressed asset is missing. */
const innerOf = (value: unknown, keys: readonly AddressBytes[]): readonly unknown[] => {
  const isNeeded = keys.some(isRead);
  if (isNeeded && (value === null || value === undefined)) {
    throw new TransactionFault(
      "has no innerInstructions: the node did not record what its instructions called",
    );
  }
  return optionalListOf(value, "innerInstructions");
};

const parseSignature = (value: unknown): string => {
  const signature = textOf(value, "signature");
  if (!signatureText.test(signature)) throw new TransactionFault("signature is not base58 text of 64 bytes");
  return signature;
};

const parseWire = (body: unknown): WireTransaction => {
  const [text, encoding] = typeof body === "string" ? [body, "base58"] : listOf(body, "transaction");
  if (encoding !== "base64" && encoding !== "base58") {
    throw new TransactionFault("transaction must be an object, or text in base64 or base58");
  }
  try {
    return decodeWireTransaction(decodeText(textOf(text, "transaction"), encoding));
  } catch (cause) {
    if (cause instanceof TransactionFault) throw cause;
    throw new TransactionFault(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

const decodeText = (text: string, encoding: "base64" | "base58"): Uint8Array => {
  if (encoding === "base58") return decodeBase58(text, WIRE_TEXT_LIMIT);
  const bytes = Buffer.from(text, "base64");
  if (text.length > WIRE_TEXT_LIMIT || bytes.toString("base64") !== text) {
    throw new TransactionFault("transaction is not valid base64");
  }
  // A copy of its own: small Buffers share one pool, and a batch outlives the file.
  return new Uint8Array(bytes);
};
