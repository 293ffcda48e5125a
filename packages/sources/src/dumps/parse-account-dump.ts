import { decodeAddress } from "@lamplight/codecs";
import type { Account, AddressBytes, Slot } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { kindOf } from "../json-kind.ts";
import { ACCOUNT_DATA_LIMIT_BYTES } from "./dump-limits.ts";

/** A fault of one dumped account. The reader adds file and line. */
export class DumpFault extends Error {
  override readonly name = "DumpFault";
}

type Members = Readonly<Record<string, unknown>>;

const U64_MAX = 2n ** 64n - 1n;

/**
 * Parses one dumped account. Anything else is a fault.
 *
 * Two forms are known: `{ pubkey, account: { lamports, data: [base64, "base64"], owner, executable, rentEpoch, space?
 * } }` as `solana account --output json` writes it, and the flat `{ pubkey, slot, writeVersion, owner, lamports,
 * executable, rentEpoch, space?, data }`. Integers may be JSON numbers or decimal text. Unknown members are ignored.
 *
 * @param value - JSON as core's `parseExact` reads it: integers beyond 2^53 as `bigint`
 * @param defaultSlot - slot of an account that carries none
 * @throws DumpFault naming the member
 */
export const parseAccountDump = (value: unknown, defaultSlot: Slot): Account => {
  const dump = membersOf(value, "the account");
  const account = dump["account"] === undefined ? dump : membersOf(dump["account"], "account");
  const address = parseAddressMember(dump, "pubkey");
  const data = parseData(account["data"]);
  const space = optionalInteger(account, "space", BigInt(Number.MAX_SAFE_INTEGER));
  if (space !== null && space !== BigInt(data.length)) {
    throw new DumpFault(`space is ${space} but data has ${data.length} bytes`);
  }
  return {
    address,
    programOwner: parseAddressMember(account, "owner"),
    lamports: requiredInteger(account, "lamports", U64_MAX),
    executable: parseBoolean(account, "executable"),
    rentEpoch: requiredInteger(account, "rentEpoch", U64_MAX),
    data,
    slot: parseCounter(dump, account, "slot") ?? defaultSlot,
    writeVersion: parseCounter(dump, account, "writeVersion") ?? 0,
  };
};

const membersOf = (value: unknown, what: string): Members => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DumpFault(`${what} must be an object, got ${kindOf(value)}`);
  }
  return value as Members;
};

const parseAddressMember = (members: Members, name: string): AddressBytes => {
  const text = members[name];
  if (typeof text !== "string") throw new DumpFault(`${name} must be base58 text, got ${kindOf(text)}`);
  try {
    return decodeAddress(text);
  } catch (cause) {
    if (!isLamplightError(cause, "CODEC__ADDRESS")) throw cause;
    throw new DumpFault(`${name} ${cause.message}`, { cause });
  }
};

const parseBoolean = (members: Members, name: string): boolean => {
  const value = members[name];
  if (typeof value !== "boolean") throw new DumpFault(`${name} must be true or false, got ${kindOf(value)}`);
  return value;
};

const requiredInteger = (members: Members, name: string, max: bigint): bigint => {
  const value = optionalInteger(members, name, max);
  if (value === null) throw new DumpFault(`${name} is missing`);
  return value;
};

const optionalInteger = (members: Members, name: string, max: bigint): bigint | null => {
  const value = members[name];
  if (value === undefined) return null;
  const integer = asInteger(value);
  if (integer === null) throw new DumpFault(`${name} must be a whole number, got ${kindOf(value)}`);
  if (integer < 0n || integer > max) throw new DumpFault(`${name} is ${integer}, outside 0 to ${max}`);
  return integer;
};

const asInteger = (value: unknown): bigint | null => {
  if (typeof value === "bigint") return value;
  // A number is only accepted when its text is unchanged: above 2^53, the text is right and the value is not.
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && wholeNumber.test(text) ? BigInt(text) : null;
};

/** u64 has 20 digits at most; a minus is let through so that the range error can name the value. */
const wholeNumber = /^-?(?:0|[1-9][0-9]{0,19})$/;

/** A counter that stays below 2^53, next to `pubkey` or inside `account`; null when absent. */
const parseCounter = (dump: Members, account: Members, name: string): number | null => {
  const members = dump[name] === undefined ? account : dump;
  const value = optionalInteger(members, name, BigInt(Number.MAX_SAFE_INTEGER));
  return value === null ? null : Number(value);
};

const parseData = (value: unknown): Uint8Array => {
  if (value === undefined) throw new DumpFault("data is missing");
  if (typeof value === "string") return decodeBase64(value);
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== "string") {
    throw new DumpFault(`data must be base64 text or [text, "base64"], got ${kindOf(value)}`);
  }
  if (value[1] !== "base64") {
    throw new DumpFault(`data must be in base64, got encoding ${JSON.stringify(value[1])?.slice(0, 32)}`);
  }
  return decodeBase64(value[0]);
};

const decodeBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length > ACCOUNT_DATA_LIMIT_BYTES) {
    throw new DumpFault(
      `data has ${bytes.length} bytes, more than the ${ACCOUNT_DATA_LIMIT_BYTES} of the largest account`,
    );
  }
  // Buffer ignores invalid base64 characters. Only valid text is equal after a round trip.
  if (bytes.toString("base64") !== text) throw new DumpFault("data is not valid base64");
  // A copy of its own: small Buffers share one pool, and a batch outlives the file.
  return new Uint8Array(bytes);
};
