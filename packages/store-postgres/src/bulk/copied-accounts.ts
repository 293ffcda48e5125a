// Turns accounts into rows as COPY takes them, packed so that they can be handed from one thread to another. All but the
// numbers of their programs is written here, in the threads that merge; those are known to the writing thread alone.

import {
  type Account,
  deriveAccountFacts,
  type NonCirculatingStake,
  codedBit,
  executableBit,
  holdingBit,
  lastLifeBit,
  rentExemptBit,
  rentExemptEpoch,
  nonCirculatingStakeBit,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { mapKeyOf } from "../columns/keys.ts";
import { FieldWriter } from "../engine/field-writer.ts";

/** Columns in the order of the fields of a row. */
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

/** Bytes of a row in addition to those of its data, at most. */
const ROW_BYTES_MAX = 2 + 36 + 8 + 12 + 12 + 12 + 6 + 12 + 36 + 36 + 4;
const HOLDING_BYTES = 2 + 36 + 36 + 36 + 5;

/** Rows of `account`, and what else follows from the same bytes. */
export interface CopiedAccounts {
  readonly count: number;
  readonly rows: Uint8Array;
  /** Offset of each row in `rows`, in bytes. */
  readonly starts: Float64Array;
  /** One number for each row: a place in `programs`, where each program takes 32 bytes. */
  readonly programNumbers: Uint32Array;
  readonly programs: Uint8Array;
  /** Rows of `holding`. */
  readonly holdings: Uint8Array;
  readonly nonCirculatingStakes: readonly NonCirculatingStake[];
}

export interface CopyOptions {
  /** Whether rows of `holding` are needed; default yes. */
  readonly holdings?: boolean;
  /** Addresses (`mapKeyOf`) of which `last_life` has a row. */
  readonly lives?: ReadonlySet<string>;
}

export const copyAccounts = (
  accounts: Iterable<Account>,
  count: number,
  { holdings: wantsHoldings = true, lives = new Set() }: CopyOptions = {},
): CopiedAccounts => {
  const rows = new FieldWriter(count * (ROW_BYTES_MAX + 100));
  const holdings = new FieldWriter(HOLDING_BYTES * 64);
  const programs = new ProgramList();
  const starts = new Float64Array(count);
  const programNumbers = new Uint32Array(count);
  const nonCirculatingStakes: NonCirculatingStake[] = [];
  let row = 0;
  for (const account of accounts) {
    const facts = deriveAccountFacts(account);
    const isRentExempt = account.rentEpoch === rentExemptEpoch;
    starts[row] = rows.length;
    programNumbers[row] = programs.numberOf(account.programOwner);
    rows.beginRow(copiedAccountColumns.length, ROW_BYTES_MAX + account.data.length);
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
        (facts.nonCirculatingStake === null ? 0 : nonCirculatingStakeBit) |
        (lives.size > 0 && lives.has(mapKeyOf(account.address)) ? lastLifeBit : 0),
    );
    if (wantsHoldings && facts.holding !== null) {
      holdings.beginRow(copiedHoldingColumns.length, HOLDING_BYTES);
      holdings.bytes(facts.holding.tokenOwner);
      holdings.bytes(facts.holding.mint);
      holdings.bytes(facts.holding.tokenAccount);
      holdings.boolean(facts.holding.positive);
    }
    // Batches are read into memory that is used again.
    if (facts.nonCirculatingStake !== null)
      nonCirculatingStakes.push({ ...facts.nonCirculatingStake, address: account.address.slice() });
    row += 1;
  }
  if (row !== count) throw brokenInvariant(`${count} accounts were announced, ${row} came`);
  return {
    count,
    rows: rows.written(),
    starts,
    programNumbers,
    programs: programs.written(),
    holdings: holdings.written(),
    nonCirculatingStakes,
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
