import { decodeBase58, decodeAddress, isTokenProgram, type WireInstruction } from "@lamplight/codecs";
import type { AddressBytes, Instruction, InstructionGroup } from "@lamplight/core";
import { INSTRUCTION_TEXT_LIMIT, KEYS_LIMIT } from "./transaction-limits.ts";
import { isMembers, type Members } from "../json-kind.ts";
import { counterOf, listOf, membersOf, textOf, TransactionFault } from "./transaction-fault.ts";

const noBytes = new Uint8Array(0);

/** Account keys in the order that instructions count them: static, then loaded writable, then loaded read-only. */
export const parseKeys = (value: unknown, what: string): readonly AddressBytes[] => {
  const keys = listOf(value, what);
  if (keys.length > KEYS_LIMIT)
    throw new TransactionFault(`${what} has ${keys.length} items, at most ${KEYS_LIMIT}`);
  // The jsonParsed form says more about each key.
  return keys.map((key, index) => parseAddress(isMembers(key) ? key["pubkey"] : key, `${what}[${index}]`));
};

/** Groups from instructions of the message and `innerInstructions`, both in one of the JSON forms. */
export const parseGroups = (
  outerValue: unknown,
  innerValue: readonly unknown[],
  keys: readonly AddressBytes[],
): readonly InstructionGroup[] => {
  const outer = listOf(outerValue, "instructions").map((value, index) =>
    parseInstruction(value, keys, `instructions[${index}]`, 1),
  );
  return group(outer, innerValue, keys);
};

/** The same for a serialized message. */
export const wireGroups = (
  outerWire: readonly WireInstruction[],
  innerValue: readonly unknown[],
  keys: readonly AddressBytes[],
): readonly InstructionGroup[] => {
  const outer = outerWire.map(({ programIndex, accountIndexes, data }, index): Instruction => {
    const what = `instructions[${index}]`;
    return {
      programAddress: keyAt(keys, programIndex, what),
      accounts: Array.from(accountIndexes, (position) => keyAt(keys, position, what)),
      data,
      stackHeight: 1,
    };
  });
  return group(outer, innerValue, keys);
};

const group = (
  outer: readonly Instruction[],
  innerValue: readonly unknown[],
  keys: readonly AddressBytes[],
): readonly InstructionGroup[] => {
  const inner: Instruction[][] = outer.map(() => []);
  for (const value of innerValue) {
    const entry = membersOf(value, "innerInstructions");
    const position = counterOf(entry["index"], "innerInstructions index");
    const list = inner[position];
    if (list === undefined)
      throw new TransactionFault(`innerInstructions has index ${position}, beyond the last one`);
    const what = `innerInstructions of ${position}`;
    for (const each of listOf(entry["instructions"], what))
      list.push(parseInstruction(each, keys, what, null));
  }
  return outer.map((instruction, index) => ({ outer: instruction, inner: inner[index] ?? [] }));
};

const parseInstruction = (
  value: unknown,
  keys: readonly AddressBytes[],
  what: string,
  knownHeight: number | null,
): Instruction => {
  const members = membersOf(value, what);
  const height = members["stackHeight"];
  const programAddress = parseProgram(members, keys, what);
  return {
    programAddress,
    ...(members["parsed"] === undefined
      ? {
          accounts: parseAccounts(members, keys, what),
          data: parseData(members["data"], what),
        }
      : unparse(members["parsed"], programAddress, what)),
    stackHeight:
      knownHeight ?? (typeof height === "number" ? counterOf(height, `stackHeight of ${what}`) : null),
  };
};

const CLOSE_ACCOUNT = 9;

/**
 * An instruction that the node parsed has no accounts and data. The index needs only the closing of token accounts
 * and mints, so that one is rebuilt.
 */
const unparse = (
  value: unknown,
  programAddress: AddressBytes,
  what: string,
): Pick<Instruction, "accounts" | "data"> => {
  if (!isTokenProgram(programAddress) || !isMembers(value) || value["type"] !== "closeAccount")
    return { accounts: [], data: noBytes };
  const info = membersOf(value["info"], `info of ${what}`);
  return {
    accounts: [parseAddress(info["account"], `account of ${what}`)],
    data: Uint8Array.of(CLOSE_ACCOUNT),
  };
};

const parseProgram = (members: Members, keys: readonly AddressBytes[], what: string): AddressBytes =>
  members["programId"] === undefined
    ? keyAt(keys, counterOf(members["programIdIndex"], `programIdIndex of ${what}`), what)
    : parseAddress(members["programId"], `programId of ${what}`);

/** Indexes, or addresses in the jsonParsed form. */
const parseAccounts = (
  members: Members,
  keys: readonly AddressBytes[],
  what: string,
): readonly AddressBytes[] => {
  return listOf(members["accounts"], `accounts of ${what}`).map((account) =>
    typeof account === "string"
      ? parseAddress(account, `accounts of ${what}`)
      : keyAt(keys, counterOf(account, `accounts of ${what}`), what),
  );
};

const parseData = (value: unknown, what: string): Uint8Array => {
  const text = textOf(value, `data of ${what}`);
  try {
    return decodeBase58(text, INSTRUCTION_TEXT_LIMIT);
  } catch (cause) {
    throw new TransactionFault(`data of ${what}: ${messageOf(cause)}`, { cause });
  }
};

const keyAt = (keys: readonly AddressBytes[], index: number, what: string): AddressBytes => {
  const key = keys[index];
  if (key === undefined) throw new TransactionFault(`${what} names key ${index} of ${keys.length}`);
  return key;
};

const parseAddress = (value: unknown, what: string): AddressBytes => {
  const text = textOf(value, what);
  try {
    return decodeAddress(text);
  } catch (cause) {
    throw new TransactionFault(`${what}: ${messageOf(cause)}`, { cause });
  }
};

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
