// Turns accounts into rows as COPY takes them, packed so that they can be handed from one thread to another. All but the
// numbers of their programs is written here, in the threads that merge; those are known to the writing thread alone.

import { type Account, deriveAccountFacts, type StakeHold } from "@lamplight/core";
import {
  codedBit,
  executableBit,
  holdingBit,
  lastLifeBit,
  rentExemptBit,
  rentExemptEpoch,
  stakeHoldBit,
} from "../columns/account-row.ts";
import { mapKeyOf } from "../columns/keys.ts";
import { writeZeroRuns } from "../columns/zero-runs.ts";

/** In the order of the fields of a row. */
export const copiedAccountColumns = [
  "address",
  "program",
  "lamports",
  "slot",
  "write_version",
  "flags",
  "rent_epoch",
  "delegate",
  "delegate_mint",
  "data",
] as const;
export const copiedHoldingColumns = ["token_owner", "mint", "token_account", "positive"] as const;

/** Places in a row: the fields before them are never null. */
export const copiedAccountLayout = { address: 6, program: 42, lamports: 50 } as const;

/** Bytes of a row besides those of its data, at most. */
const rowBytesMax = 2 + 36 + 8 + 12 + 12 + 12 + 6 + 12 + 36 + 36 + 4;
const holdingBytes = 2 + 36 + 36 + 36 + 5;

/** Rows of `account`, and what else follows from the same bytes. */
export interface CopiedAccounts {
  readonly count: number;
  readonly rows: Uint8Array;
  /** Where each row begins. */
  readonly starts: Float64Array;
  /** Of each row: a place in `programs`, 32 bytes each. */
  readonly programNumbers: Uint32Array;
  readonly programs: Uint8Array;
  /** Rows of `holding`. */
  readonly holdings: Uint8Array;
  readonly stakeHolds: readonly StakeHold[];
}

/** @param lives - addresses (`mapKeyOf`) of which `last_life` has a row */
export const copyAccounts = (
  accounts: Iterable<Account>,
  count: number,
  lives: ReadonlySet<string> = new Set(),
): CopiedAccounts => {
  const rows = new RowWriter(count * (rowBytesMax + 100));
  const holdings = new RowWriter(holdingBytes * 64);
  const programs = new ProgramList();
  const starts = new Float64Array(count);
  const programNumbers = new Uint32Array(count);
  const stakeHolds: StakeHold[] = [];
  let row = 0;
  for (const account of accounts) {
    const facts = deriveAccountFacts(account);
    const isRentExempt = account.rentEpoch === rentExemptEpoch;
    starts[row] = rows.length;
    programNumbers[row] = programs.numberOf(account.programOwner);
    rows.begin(copiedAccountColumns.length, rowBytesMax + account.data.length);
    rows.bytes(account.address);
    rows.int4(0);
    rows.u64(account.lamports);
    rows.int8(account.slot);
    rows.int8(account.writeVersion);
    const flagsAt = rows.int2(0);
    if (isRentExempt) rows.null();
    else rows.u64(account.rentEpoch);
    rows.bytesOrNull(facts.delegate);
    rows.bytesOrNull(facts.delegateMint);
    const isCoded = rows.zeroRuns(account.data);
    rows.setInt2(
      flagsAt,
      (account.executable ? executableBit : 0) |
        (isRentExempt ? rentExemptBit : 0) |
        (isCoded ? codedBit : 0) |
        (facts.holding === null ? 0 : holdingBit) |
        (facts.stakeHold === null ? 0 : stakeHoldBit) |
        (lives.size > 0 && lives.has(mapKeyOf(account.address)) ? lastLifeBit : 0),
    );
    if (facts.holding !== null) {
      holdings.begin(copiedHoldingColumns.length, holdingBytes);
      holdings.bytes(facts.holding.tokenOwner);
      holdings.bytes(facts.holding.mint);
      holdings.bytes(facts.holding.tokenAccount);
      holdings.boolean(facts.holding.positive);
    }
    // Batches are read into memory that is used again.
    if (facts.stakeHold !== null) stakeHolds.push({ ...facts.stakeHold, address: account.address.slice() });
    row += 1;
  }
  if (row !== count) throw new Error(`${count} accounts were announced, ${row} came`);
  return {
    count,
    rows: rows.written(),
    starts,
    programNumbers,
    programs: programs.written(),
    holdings: holdings.written(),
    stakeHolds,
  };
};

/** Programs by the order of their coming. */
class ProgramList {
  readonly #numbers = new Map<string, number>();
  readonly #addresses: Uint8Array[] = [];

  numberOf(address: Uint8Array): number {
    const key = mapKeyOf(address);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#addresses.push(address.slice());
    return number;
  }

  written(): Uint8Array {
    const bytes = new Uint8Array(32 * this.#addresses.length);
    for (const [number, address] of this.#addresses.entries()) bytes.set(address, 32 * number);
    return bytes;
  }
}

/** Fields one after the other, each behind its length. Grows by doubling. */
class RowWriter {
  #bytes: Uint8Array;
  #view: DataView;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** @param bytesMax - of the whole row: nothing after this asks for room */
  begin(fields: number, bytesMax: number): void {
    const needed = this.length + bytesMax;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#view.setInt16(this.length, fields);
    this.length += 2;
  }

  null(): void {
    this.#view.setInt32(this.length, -1);
    this.length += 4;
  }

  /** Addresses are too short for a copy in one call to pay. */
  bytes(value: Uint8Array): void {
    const bytes = this.#bytes;
    let at = this.#sized(value.length);
    for (let index = 0; index < value.length; index += 1, at += 1) bytes[at] = value[index] as number;
    this.length = at;
  }

  bytesOrNull(value: Uint8Array | null): void {
    if (value === null) this.null();
    else this.bytes(value);
  }

  boolean(value: boolean): void {
    this.#bytes[this.#sized(1)] = Number(value);
    this.length += 1;
  }

  /** Answers where the value lies. */
  int2(value: number): number {
    const at = this.#sized(2);
    this.#view.setInt16(at, value);
    this.length += 2;
    return at;
  }

  setInt2(at: number, value: number): void {
    this.#view.setInt16(at, value);
  }

  int4(value: number): void {
    this.#view.setInt32(this.#sized(4), value);
    this.length += 4;
  }

  /** @param value - 0 to 2^53 - 1 */
  int8(value: number): void {
    const at = this.#sized(8);
    this.#view.setUint32(at, Math.floor(value / 2 ** 32));
    this.#view.setUint32(at + 4, value >>> 0);
    this.length += 8;
  }

  /** Shifted down by 2^63, as every u64 is kept: the same bits with the first one turned. */
  u64(value: bigint): void {
    const at = this.#sized(8);
    this.#view.setBigUint64(at, value);
    this.#bytes[at] = (this.#bytes[at] as number) ^ 0x80;
    this.length += 8;
  }

  /** Whether the data was worth coding. */
  zeroRuns(data: Uint8Array): boolean {
    const at = this.#sized(data.length);
    const coded = writeZeroRuns(data, this.#bytes, at);
    if (coded === null) this.#bytes.set(data, at);
    else this.#view.setInt32(at - 4, coded);
    this.length += coded ?? data.length;
    return coded !== null;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Writes a length; answers where the value goes. */
  #sized(length: number): number {
    this.#view.setInt32(this.length, length);
    this.length += 4;
    return this.length;
  }
}
