// Turns accounts into rows, packed so that they can be handed from one thread to another. The work that does not need
// the database is done here, in the threads that merge; the writing thread only binds what comes out.

import { type Account, deriveAccountFacts, type StakeHold } from "@lamplight/core";
import { mapKeyOf } from "../columns/account-key.ts";
import {
  codedBit,
  executableBit,
  holdingBit,
  rentExemptBit,
  rentExemptEpoch,
  stakeHoldBit,
} from "../columns/account-row.ts";
import { u64ToColumn } from "../columns/u64-column.ts";
import { writeZeroRuns } from "../columns/zero-runs.ts";
import { writeHolding } from "./holding-row.ts";
import { holdingRowBytes } from "./holding-row.ts";

const tailBytes = 24;
const delegateBytes = 64;

/** Rows of `account`, one entry per row in each list, ascending by key. */
export interface EncodedRows {
  readonly count: number;
  readonly ids: BigInt64Array;
  /** 24 bytes each. */
  readonly tails: Uint8Array;
  /** Places in `programs`, 32 bytes each. */
  readonly programNumbers: Uint32Array;
  readonly programs: Uint8Array;
  readonly lamports: BigInt64Array;
  readonly slots: Float64Array;
  readonly writeVersions: Float64Array;
  readonly flags: Uint8Array;
  /** Where `flags` says that the rent epoch is the maximum, the column is null. */
  readonly rentEpochs: BigInt64Array;
  /** Places in `delegates`, delegate and mint side by side; -1 = none. */
  readonly delegateNumbers: Int32Array;
  readonly delegates: Uint8Array;
  /** One more than there are rows: where the data of each begins in `data`. */
  readonly dataStarts: Float64Array;
  readonly data: Uint8Array;
  /** Packed as `HoldingSpill` takes them. */
  readonly holdings: Uint8Array;
  readonly stakeHolds: readonly StakeHold[];
}

/** Grows by doubling; answers what was filled. */
class GrowingBytes {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** Accounts as `insertAccounts` wants them; `count` of them. */
export const encodeRows = (accounts: Iterable<Account>, count: number): EncodedRows => {
  const ids = new BigInt64Array(count);
  const tails = new Uint8Array(tailBytes * count);
  const programNumbers = new Uint32Array(count);
  const programs = new GrowingBytes(32 * 256);
  const numbers = new Map<string, number>();
  const lamports = new BigInt64Array(count);
  const slots = new Float64Array(count);
  const writeVersions = new Float64Array(count);
  const flags = new Uint8Array(count);
  const rentEpochs = new BigInt64Array(count);
  const delegateNumbers = new Int32Array(count).fill(-1);
  const delegates = new GrowingBytes(delegateBytes * 64);
  const dataStarts = new Float64Array(count + 1);
  const data = new GrowingBytes(160 * count + 1024);
  const holdings = new GrowingBytes(holdingRowBytes * 64);
  const stakeHolds: StakeHold[] = [];
  let row = 0;
  for (const account of accounts) {
    const { address, programOwner } = account;
    const facts = deriveAccountFacts(account);
    ids[row] = new DataView(address.buffer, address.byteOffset, 8).getBigInt64(0);
    for (let index = 0; index < tailBytes; index += 1)
      tails[tailBytes * row + index] = address[8 + index] as number;
    const programKey = mapKeyOf(programOwner);
    let program = numbers.get(programKey);
    if (program === undefined) {
      program = numbers.size;
      numbers.set(programKey, program);
      programs.reserve(32);
      programs.bytes.set(programOwner, programs.length);
      programs.length += 32;
    }
    programNumbers[row] = program;
    lamports[row] = u64ToColumn(account.lamports);
    slots[row] = account.slot;
    writeVersions[row] = account.writeVersion;
    const isRentExempt = account.rentEpoch === rentExemptEpoch;
    if (!isRentExempt) rentEpochs[row] = u64ToColumn(account.rentEpoch);
    data.reserve(account.data.length);
    const coded = writeZeroRuns(account.data, data.bytes, data.length);
    if (coded === null) data.bytes.set(account.data, data.length);
    data.length += coded ?? account.data.length;
    dataStarts[row + 1] = data.length;
    flags[row] =
      (account.executable ? executableBit : 0) |
      (isRentExempt ? rentExemptBit : 0) |
      (coded === null ? 0 : codedBit) |
      (facts.holding === null ? 0 : holdingBit) |
      (facts.stakeHold === null ? 0 : stakeHoldBit);
    if (facts.delegate !== null && facts.delegateMint !== null) {
      delegates.reserve(delegateBytes);
      delegates.bytes.set(facts.delegate, delegates.length);
      delegates.bytes.set(facts.delegateMint, delegates.length + 32);
      delegateNumbers[row] = delegates.length / delegateBytes;
      delegates.length += delegateBytes;
    }
    if (facts.holding !== null) {
      holdings.reserve(holdingRowBytes);
      writeHolding(facts.holding, holdings.bytes, holdings.length);
      holdings.length += holdingRowBytes;
    }
    if (facts.stakeHold !== null) stakeHolds.push({ ...facts.stakeHold, address: address.slice() });
    row += 1;
  }
  if (row !== count) throw new Error(`${count} accounts were announced, ${row} came`);
  return {
    count,
    ids,
    tails,
    programNumbers,
    programs: programs.bytes.slice(0, programs.length),
    lamports,
    slots,
    writeVersions,
    flags,
    rentEpochs,
    delegateNumbers,
    delegates: delegates.bytes.slice(0, delegates.length),
    dataStarts,
    data: data.bytes,
    holdings: holdings.bytes.slice(0, holdings.length),
    stakeHolds,
  };
};

/** What a thread hands over with the rows. */
export const buffersOf = (rows: EncodedRows): ArrayBufferLike[] => [
  ...new Set(
    Object.values(rows).flatMap((value: unknown) => (ArrayBuffer.isView(value) ? [value.buffer] : [])),
  ),
];
