// Encodes accounts as rows, packed so that they can be transferred between threads. The merging threads do this work,
// and the writing thread only binds values. It runs for every account of a chain, so it reads words out of the batch
// and creates no object per account.

import {
  accountTypes,
  GrowingBytes,
  isTokenProgram,
  programAddresses,
  sameBytes,
  tokenAccountLayout as tokenAccount,
} from "@lamplight/codecs";
import {
  type Account,
  AccountBatch,
  batchLayout,
  deriveAccountFacts,
  type NonCirculatingStake,
  codedBit,
  executableBit,
  holdingBit,
  rentExemptBit,
  nonCirculatingStakeBit,
} from "@lamplight/core";
import { DataCoder } from "./data-coder.ts";
import { HOLDING_ROW_BYTES } from "./holding-row.ts";
import { type ProgramKind, ProgramNumbers } from "./program-numbers.ts";

export const TAIL_BYTES = 24;
export const DELEGATE_BYTES = 64;

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
  /** The column is null where `flags` marks the maximum rent epoch. */
  readonly rentEpochs: BigInt64Array;
  /** Places in `delegates`, delegate and mint side by side; -1 = none. */
  readonly delegateNumbers: Int32Array;
  readonly delegates: Uint8Array;
  /** Offset of the data of each row in `data`, and the end of the last: one entry more than rows. */
  readonly dataStarts: Float64Array;
  readonly data: Uint8Array;
  /** Packed as `HoldingSpill` takes them; empty when the store keeps none. */
  readonly holdings: Uint8Array;
  readonly nonCirculatingStakes: readonly NonCirculatingStake[];
}

/**
 * @param accounts - ascending by key
 * @param keepsHoldings - whether the store indexes holdings; the flags of the rows say it either way
 */
export const encodeRows = (
  accounts: AccountBatch | readonly Account[],
  keepsHoldings = true,
): EncodedRows => {
  const batch = accounts instanceof AccountBatch ? accounts : AccountBatch.of(accounts);
  return new RowEncoder(batch, keepsHoldings).encode();
};

/** Memory that is transferred with the rows. */
export const buffersOf = (rows: EncodedRows): ArrayBufferLike[] => [
  ...new Set(
    Object.values(rows).flatMap((value: unknown) => (ArrayBuffer.isView(value) ? [value.buffer] : [])),
  ),
];

const SIGN_BIT = 0x80000000;
const ALL_BITS = 0xffffffff;
/** Places of words in a record. */
const word = {
  writeVersion: batchLayout.writeVersion / 4,
  dataLength: batchLayout.dataLength / 4,
  address: batchLayout.address / 4,
  tail: batchLayout.address / 4 + 2,
  lamports: batchLayout.lamports / 4,
  rentEpoch: batchLayout.rentEpoch / 4,
} as const;

type Columns = Pick<
  EncodedRows,
  | "ids"
  | "tails"
  | "programNumbers"
  | "lamports"
  | "slots"
  | "writeVersions"
  | "flags"
  | "rentEpochs"
  | "dataStarts"
>;

class RowEncoder {
  readonly #batch: AccountBatch;
  readonly #keepsHoldings: boolean;
  readonly #bytes: Buffer;
  readonly #words: Uint32Array;
  readonly #programs = new ProgramNumbers(kindOfProgram);
  readonly #delegates = new GrowingBytes(DELEGATE_BYTES * 64);
  readonly #holdings = new GrowingBytes(HOLDING_ROW_BYTES * 64);
  readonly #nonCirculatingStakes: NonCirculatingStake[] = [];
  readonly #delegateNumbers: Int32Array;

  constructor(batch: AccountBatch, keepsHoldings: boolean) {
    this.#batch = batch;
    this.#keepsHoldings = keepsHoldings;
    const { bytes } = batch;
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    this.#delegateNumbers = new Int32Array(batch.count).fill(-1);
  }

  encode(): EncodedRows {
    const { count } = this.#batch;
    const coder = new DataCoder(this.#bytes, this.#bytes.length);
    const columns: Columns = {
      ids: new BigInt64Array(count),
      tails: new Uint8Array(TAIL_BYTES * count),
      programNumbers: new Uint32Array(count),
      lamports: new BigInt64Array(count),
      slots: new Float64Array(count),
      writeVersions: new Float64Array(count),
      flags: new Uint8Array(count),
      rentEpochs: new BigInt64Array(count),
      dataStarts: new Float64Array(count + 1),
    };
    this.#fill(columns, coder);
    return {
      count,
      ...columns,
      programs: this.#programs.written(),
      delegateNumbers: this.#delegateNumbers,
      delegates: this.#delegates.written(),
      data: coder.written(),
      holdings: this.#holdings.written(),
      nonCirculatingStakes: this.#nonCirculatingStakes,
    };
  }

  /** Keep this loop alone in its function: code after it makes V8 deoptimize the loop on exit. */
  #fill(columns: Columns, coder: DataCoder): void {
    const { count, records } = this.#batch;
    const { programNumbers, slots, writeVersions, flags, dataStarts } = columns;
    const words = this.#words;
    const bytes = this.#bytes;
    const idWords = new Uint32Array(columns.ids.buffer);
    const tailWords = new Uint32Array(columns.tails.buffer);
    const lamportWords = new Uint32Array(columns.lamports.buffer);
    const rentWords = new Uint32Array(columns.rentEpochs.buffer);
    const floats = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 3);
    for (let row = 0; row < count; row += 1) {
      const record = records[row] as number;
      const at = record >>> 2;
      idWords[2 * row] = swapped(words[at + word.address + 1] as number);
      idWords[2 * row + 1] = swapped(words[at + word.address] as number);
      for (let index = 0; index < 6; index += 1)
        tailWords[6 * row + index] = words[at + word.tail + index] as number;
      const program = this.#programs.numberOf(bytes, words, record + batchLayout.programOwner);
      programNumbers[row] = program;
      // Shifted down by 2^63, as u64 columns are: the same bits with the first one turned.
      lamportWords[2 * row] = words[at + word.lamports] as number;
      lamportWords[2 * row + 1] = (words[at + word.lamports + 1] as number) ^ SIGN_BIT;
      slots[row] = floats[(record + batchLayout.slot) >>> 3] as number;
      if (words[at + word.writeVersion] !== 0 || words[at + word.writeVersion + 1] !== 0)
        writeVersions[row] = this.#batch.writeVersionAt(record);
      const rentLow = words[at + word.rentEpoch] as number;
      const rentHigh = words[at + word.rentEpoch + 1] as number;
      let flag = bytes[record + batchLayout.executable] === 1 ? executableBit : 0;
      if (rentLow === ALL_BITS && rentHigh === ALL_BITS) flag |= rentExemptBit;
      else {
        rentWords[2 * row] = rentLow;
        rentWords[2 * row + 1] = rentHigh ^ SIGN_BIT;
      }
      const length = words[at + word.dataLength] as number;
      if (length > 0 && coder.add(record + batchLayout.data, length)) flag |= codedBit;
      dataStarts[row + 1] = coder.length;
      flags[row] = flag | this.#addFacts(row, record, length, this.#programs.kindOf(program));
    }
  }

  /** Notes the facts that `deriveAccountFacts` gives for the account; returns the bits of its flags. */
  #addFacts(row: number, record: number, length: number, kind: ProgramKind): number {
    if (kind === "token") return this.#addTokenFacts(row, record, length);
    return kind === "stake" ? this.#addStakeFacts(record) : 0;
  }

  #addTokenFacts(row: number, record: number, length: number): number {
    const bytes = this.#bytes;
    const data = record + batchLayout.data;
    if (length < tokenAccount.bytes || length === tokenAccount.multisigBytes) return 0;
    if (length > tokenAccount.bytes && bytes[data + tokenAccount.type] !== accountTypes.tokenAccount)
      return 0;
    const state = bytes[data + tokenAccount.state] as number;
    if (state === 0) return 0;
    const delegateTag = bytes.readUInt32LE(data + tokenAccount.delegateTag);
    if (delegateTag === 1) this.#addDelegate(row, data);
    const isHolding =
      state <= 2 &&
      delegateTag <= 1 &&
      bytes.readUInt32LE(data + tokenAccount.nativeTag) <= 1 &&
      bytes.readUInt32LE(data + tokenAccount.closeAuthorityTag) <= 1;
    if (!isHolding) return 0;
    if (this.#keepsHoldings) this.#addHolding(record, data);
    return holdingBit;
  }

  #addDelegate(row: number, data: number): void {
    const { delegate, mint } = tokenAccount;
    this.#delegateNumbers[row] = this.#delegates.length / DELEGATE_BYTES;
    this.#delegates.add(this.#bytes, data + delegate, 32);
    this.#delegates.add(this.#bytes, data + mint, 32);
  }

  /** Packs the row as `writeHolding` does. */
  #addHolding(record: number, data: number): void {
    const bytes = this.#bytes;
    const { tokenOwner, mint, amount } = tokenAccount;
    this.#holdings.add(bytes, data + tokenOwner, 32);
    this.#holdings.add(bytes, data + mint, 32);
    this.#holdings.add(bytes, record + batchLayout.address, 32);
    const isPositive = bytes.readUInt32LE(data + amount) !== 0 || bytes.readUInt32LE(data + amount + 4) !== 0;
    this.#holdings.addByte(Number(isPositive));
  }

  #addStakeFacts(record: number): number {
    const { nonCirculatingStake } = deriveAccountFacts(this.#batch.accountAt(record));
    if (nonCirculatingStake === null) return 0;
    this.#nonCirculatingStakes.push({ ...nonCirculatingStake, address: nonCirculatingStake.address.slice() });
    return nonCirculatingStakeBit;
  }
}

const kindOfProgram = (program: Uint8Array): ProgramKind => {
  if (isTokenProgram(program)) return "token";
  return sameBytes(program, programAddresses.stake) ? "stake" : "other";
};

/** Reverses the order of four bytes. */
const swapped = (value: number): number =>
  (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
