import { type Account, type AddressBytes, AddressMap, type BankId, type Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { WireCursor } from "./wire-cursor.ts";

export interface AccountUpdate {
  readonly kind: "account";
  readonly account: Account;
  readonly isStartup: boolean;
  readonly bank?: BankId;
}

const update = new WireCursor();
const info = new WireCursor();

/**
 * Decodes the account update between two offsets of a message. Missing fields have the defaults of proto3. All values
 * are copied, so that the message can be freed.
 *
 * @throws LamplightError `SOURCE__BAD_MESSAGE`
 */
export const decodeAccountUpdate = (message: Uint8Array, from: number, to: number): AccountUpdate => {
  let slot = 0;
  let isStartup = false;
  let bank = 0n;
  info.reset(message, 0, 0);
  update.reset(message, from, to);
  while (update.next()) {
    if (update.field === 1) info.reset(message, update.from, update.to);
    else if (update.field === 2) slot = update.count;
    else if (update.field === 3) isStartup = !update.isZero;
    else if (update.field === 4) bank = update.u64;
  }
  const account = decodeInfo(message, slot);
  // Servers that do not know the bank send 0 or nothing.
  return bank === 0n
    ? { kind: "account", account, isStartup }
    : { kind: "account", account, isStartup, bank };
};

const decodeInfo = (message: Uint8Array, slot: Slot): Account => {
  let address: AddressBytes | null = null;
  let lamports = 0n;
  let programOwner: AddressBytes | null = null;
  let executable = false;
  let rentEpoch = 0n;
  let data: Uint8Array = none;
  let writeVersion = 0;
  while (info.next()) {
    switch (info.field) {
      case 1:
        address = copy(message, assertAddress("pubkey"), info.to);
        break;
      case 2:
        lamports = info.u64;
        break;
      case 3:
        programOwner = internProgram(message.subarray(assertAddress("owner"), info.to));
        break;
      case 4:
        executable = !info.isZero;
        break;
      case 5:
        rentEpoch = info.u64;
        break;
      case 6:
        data = copy(message, info.from, info.to);
        break;
      case 7:
        writeVersion = info.count;
        break;
      default:
    }
  }
  if (address === null) throw noAddress("pubkey", 0);
  if (programOwner === null) throw noAddress("owner", 0);
  return { address, programOwner, lamports, executable, rentEpoch, data, slot, writeVersion };
};

const ADDRESS_BYTES = 32;

/** The offset of the address in this field. */
const assertAddress = (what: string): number => {
  const { from } = info;
  if (info.to - from !== ADDRESS_BYTES) throw noAddress(what, info.to - from);
  return from;
};

const noAddress = (what: string, bytes: number): LamplightError =>
  new LamplightError("SOURCE__BAD_MESSAGE", { reason: `${what} has ${bytes} bytes` });

/** Programs whose address is stored once for all their accounts. */
const PROGRAMS_MAX = 4096;
const programs = new AddressMap<AddressBytes>();

const internProgram = (program: AddressBytes): AddressBytes => {
  const known = programs.get(program);
  if (known !== undefined) return known;
  const own = Uint8Array.from(program);
  if (programs.size < PROGRAMS_MAX) programs.set(own, own);
  return own;
};

const none = new Uint8Array(0);
/** Bytes are cut from slabs, because a separate buffer for each costs more than decoding the whole update. */
const SLAB_BYTES = 16_384;
/** Larger data gets its own buffer. So one account never keeps much more memory alive than it needs. */
const CUT_BYTES_MAX = 1024;
let slab = new Uint8Array(SLAB_BYTES);
let slabAt = 0;

const copy = (message: Uint8Array, from: number, to: number): Uint8Array => {
  const length = to - from;
  if (length > CUT_BYTES_MAX) return new Uint8Array(message.subarray(from, to));
  if (slabAt + length > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    slabAt = 0;
  }
  const start = slabAt;
  for (let at = 0; at < length; at += 1) slab[start + at] = message[from + at] as number;
  slabAt += length;
  return new Uint8Array(slab.buffer, start, length);
};
