import { decodeBase58 } from "@lamplight/codecs";
import type { Account, ChainEvent, Instruction, Transaction } from "@lamplight/core";

// SubscribeUpdate as a server writes it: zero values are left out.

const statusNumbers = { createdBank: 5, complete: 0, confirmed: 1, finalized: 2, dead: 6 } as const;
const utf8 = new TextEncoder();

/** One event as the message that reports it; null for what has none. */
export const encodeUpdate = (event: ChainEvent): Uint8Array | null => {
  switch (event.kind) {
    case "account":
      return update("accounts", 2, [
        bytes(1, accountInfo(event.account)),
        number(2, BigInt(event.account.slot)),
        number(4, event.bank ?? 0n),
      ]);
    case "slot":
      return update("slots", 3, [
        number(1, BigInt(event.slot)),
        event.parent === null ? none : number(2, BigInt(event.parent)),
        number(3, BigInt(statusNumbers[event.status])),
        number(5, event.bank ?? 0n),
      ]);
    case "block":
      return update("blocks", 7, [
        number(1, BigInt(event.slot)),
        bytes(2, utf8.encode(event.blockhash ?? "")),
        number(6, BigInt(event.parent)),
        bytes(7, utf8.encode(event.parentBlockhash ?? "")),
        number(10, event.bank ?? 0n),
      ]);
    case "transaction":
      return update("programs", 4, [
        bytes(1, transactionInfo(event.transaction)),
        number(2, BigInt(event.transaction.slot)),
        number(3, event.bank ?? 0n),
      ]);
    // No Yellowstone server sends these.
    case "again":
    case "restart":
    case "confirmed":
    case "rollback":
      return null;
    default:
      return event satisfies never;
  }
};

export const encodePing = (): Uint8Array => always(6, none);

const accountInfo = (account: Account): Uint8Array =>
  Buffer.concat([
    bytes(1, account.address),
    number(2, account.lamports),
    bytes(3, account.programOwner),
    number(4, account.executable ? 1n : 0n),
    number(5, account.rentEpoch),
    bytes(6, account.data),
    number(7, BigInt(account.writeVersion)),
  ]);

/** With all accounts as static keys, in order of appearance. */
const transactionInfo = ({ signature, index, groups }: Transaction): Uint8Array => {
  const keys: string[] = [];
  const placeOf = (address: Uint8Array): number => {
    const key = Buffer.from(address).toString("hex");
    if (!keys.includes(key)) keys.push(key);
    return keys.indexOf(key);
  };
  const instruction = (one: Instruction, height: number | null): Uint8Array =>
    Buffer.concat([
      number(1, BigInt(placeOf(one.programAddress))),
      bytes(2, Uint8Array.from(one.accounts, placeOf)),
      bytes(3, one.data),
      height === null ? none : number(4, BigInt(height)),
    ]);
  const outer = groups.map((group) => always(4, instruction(group.outer, null)));
  const inner = groups.map((group, place) => {
    const calls = group.inner.map((call) => always(2, instruction(call, call.stackHeight)));
    return always(5, Buffer.concat([number(1, BigInt(place)), ...calls]));
  });
  const message = Buffer.concat([...keys.map((key) => bytes(2, Buffer.from(key, "hex"))), ...outer]);
  const signed = decodeBase58(signature, SIGNATURE_TEXT_MAX);
  return Buffer.concat([
    bytes(1, signed),
    always(3, Buffer.concat([bytes(1, signed), always(2, message)])),
    always(4, Buffer.concat(inner)),
    number(5, BigInt(index ?? 0)),
  ]);
};

const SIGNATURE_TEXT_MAX = 88;

const update = (filter: string, field: number, parts: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([bytes(1, utf8.encode(filter)), always(field, Buffer.concat(parts))]);

const none = new Uint8Array(0);

const number = (field: number, value: bigint): Uint8Array =>
  value === 0n ? none : Buffer.concat([varint(BigInt(field * 8)), varint(value)]);

const bytes = (field: number, value: Uint8Array): Uint8Array =>
  value.length === 0 ? none : always(field, value);

/** Messages are reported even when they are empty. */
const always = (field: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(value.length)), value]);

const varint = (value: bigint): Uint8Array => {
  const digits: number[] = [];
  let rest = value;
  do {
    const digit = Number(rest & 127n);
    rest >>= 7n;
    digits.push(rest === 0n ? digit : digit + 128);
  } while (rest > 0n);
  return Uint8Array.from(digits);
};
