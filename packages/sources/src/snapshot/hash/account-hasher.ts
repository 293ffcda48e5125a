import { batchLayout } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { ACCOUNT_DATA_LIMIT_BYTES } from "../snapshot-limits.ts";
import {
  blake3Flags,
  blake3Words,
  blockBytes,
  chunkBytes,
  latticeGroups,
} from "../../generated/blake3-code.ts";
import { createBlake3Kernel } from "./blake3-kernel.ts";

/** Bytes of a lattice hash: 1024 little-endian numbers of 16 bits. */
export const LATTICE_BYTES = 2048;

/** Up to this length, copying byte by byte is faster than a call into the engine. */
const SHORT_BYTES = 64;
/** Accounts that are hashed in parallel. */
const LANES = 4;
const chunkBlocksMax = chunkBytes / blockBytes;
// Places in the kernel's memory.
const CHAINING_AT = 0;
const PARENT_AT = 64;
const CHAININGS_AT = 128;
const SUM_AT = 1024;
/** Accounts that wait, by their number of blocks, until there are four of the same number. */
const WAITING_AT = 4096;
const inputAt = WAITING_AT + chunkBlocksMax * LANES * chunkBytes;
/** Hashed bytes of every account in addition to its data: lamports, the executable byte, two addresses. */
const FIXED_BYTES = 8 + 1 + 32 + 32;
const INPUT_BYTES_MAX = 8 + 8 + ACCOUNT_DATA_LIMIT_BYTES + 1 + 32 + 32;
const PAGE_BYTES = 65_536;

/** Fields of one account as they are hashed. */
export interface HashedFields {
  /** Eight bytes each, as stored. */
  readonly lamports: Uint8Array;
  /** Null where the era leaves it out. */
  readonly rentEpoch: Uint8Array | null;
  readonly data: Uint8Array;
  readonly executable: number;
  readonly programOwner: Uint8Array;
  readonly address: Uint8Array;
}

/** The last block. Its chaining value is already set. */
interface Root {
  readonly block: number;
  readonly length: number;
  readonly flags: number;
}

const waitingPlace = (group: number, lane: number): number =>
  WAITING_AT + chunkBytes * (LANES * group + lane);

/** Hashes accounts, and keeps the sum of their lattice hashes. One per thread; not reentrant. */
export class AccountHasher {
  readonly #kernel = createBlake3Kernel(Math.ceil((inputAt + INPUT_BYTES_MAX + blockBytes) / PAGE_BYTES));
  readonly #bytes = new Uint8Array(this.#kernel.memory.buffer);
  readonly #chaining = new Uint32Array(this.#kernel.memory.buffer, CHAINING_AT, 8);
  readonly #initial = Uint32Array.from(blake3Words);

  /** Waiting accounts, by their number of blocks less one. */
  readonly #waiting = new Uint8Array(chunkBlocksMax);
  readonly #lengths = new Uint16Array(chunkBlocksMax * LANES);

  /** 32 bytes. */
  hashBytes(input: Uint8Array): Uint8Array {
    if (input.length > INPUT_BYTES_MAX) throw brokenInvariant(`cannot hash ${input.length} bytes at once`);
    this.#bytes.set(input, inputAt);
    return this.#hash32(input.length);
  }

  /** The account hash of the merkle era, 32 bytes. */
  hashAccount(fields: HashedFields): Uint8Array {
    return this.#hash32(this.#put(fields));
  }

  /** Adds the account to the sum. */
  addToLattice(fields: HashedFields): void {
    this.#addRoot(this.#absorb(this.#put(fields)));
  }

  /** The same for a record of a batch, without creating an object. Four records of one length are hashed at once. */
  addRecordToLattice(batch: Uint8Array, record: number, withRentEpoch: boolean): void {
    const length = FIXED_BYTES + (withRentEpoch ? 8 : 0) + dataLengthAt(batch, record);
    if (length > chunkBytes) {
      this.#putRecord(batch, record, withRentEpoch, inputAt);
      this.#addRoot(this.#absorb(length));
      return;
    }
    const group = Math.ceil(length / blockBytes) - 1;
    const lane = this.#waiting[group] as number;
    const at = waitingPlace(group, lane);
    this.#putRecord(batch, record, withRentEpoch, at);
    this.#bytes.fill(0, at + length, at + blockBytes * (group + 1));
    this.#lengths[LANES * group + lane] = length;
    this.#waiting[group] = lane + 1;
    if (lane + 1 === LANES) this.#addGroup(group);
  }

  /** No account has fewer than two blocks. */
  #addGroup(group: number): void {
    this.#kernel.compressFour(waitingPlace(group, 0), group, CHAININGS_AT);
    for (let lane = 0; lane < LANES; lane += 1) {
      const block = waitingPlace(group, lane) + blockBytes * group;
      const length = (this.#lengths[LANES * group + lane] as number) - blockBytes * group;
      const flags = blake3Flags.chunkEnd | blake3Flags.root;
      this.#kernel.addLattice(CHAININGS_AT + 32 * lane, block, length, flags, SUM_AT);
    }
    this.#waiting[group] = 0;
  }

  /** Accounts for which no others of the same length came. */
  #addWaiting(): void {
    for (const [group, count] of this.#waiting.entries()) {
      for (let lane = 0; lane < count; lane += 1) {
        const length = this.#lengths[LANES * group + lane] as number;
        const last = this.#absorbChunk(waitingPlace(group, lane), length, 0);
        this.#addRoot({ ...last, flags: last.flags | blake3Flags.root });
      }
    }
    this.#waiting.fill(0);
  }

  #addRoot({ block, length, flags }: Root): void {
    this.#kernel.addLattice(CHAINING_AT, block, length, flags, SUM_AT);
  }

  /** The sum so far, 2048 bytes; the next one begins at zero. */
  takeLattice(): Uint8Array {
    this.#addWaiting();
    const words = new DataView(this.#kernel.memory.buffer, SUM_AT, LATTICE_BYTES);
    const lattice = new Uint8Array(LATTICE_BYTES);
    const view = new DataView(lattice.buffer);
    for (let group = 0; group < latticeGroups; group += 1) {
      for (let word = 0; word < 16; word += 1) {
        for (let lane = 0; lane < 4; lane += 1) {
          const value = words.getUint32(256 * group + 16 * word + 4 * lane, true);
          view.setUint32(blockBytes * (4 * group + lane) + 4 * word, value, true);
        }
      }
    }
    this.#bytes.fill(0, SUM_AT, SUM_AT + LATTICE_BYTES);
    return lattice;
  }

  #put({ lamports, rentEpoch, data, executable, programOwner, address }: HashedFields): number {
    const bytes = this.#bytes;
    let at = inputAt;
    bytes.set(lamports, at);
    at += 8;
    if (rentEpoch !== null) {
      bytes.set(rentEpoch, at);
      at += 8;
    }
    bytes.set(data, at);
    at += data.length;
    bytes[at] = executable;
    bytes.set(programOwner, at + 1);
    bytes.set(address, at + 33);
    return at + 65 - inputAt;
  }

  #putRecord(batch: Uint8Array, record: number, withRentEpoch: boolean, to: number): void {
    const bytes = this.#bytes;
    // The rent epoch follows the lamports.
    const heads = withRentEpoch ? 16 : 8;
    let at = to;
    const head = record + batchLayout.lamports;
    for (let index = 0; index < heads; index += 1) bytes[at + index] = batch[head + index] as number;
    at += heads;
    const data = record + batchLayout.data;
    const length = dataLengthAt(batch, record);
    if (length <= SHORT_BYTES)
      for (let index = 0; index < length; index += 1) bytes[at + index] = batch[data + index] as number;
    else bytes.set(batch.subarray(data, data + length), at);
    at += length;
    // The executable byte follows the program owner in the batch, and comes before it here.
    bytes[at] = batch[record + batchLayout.executable] as number;
    const owner = record + batchLayout.programOwner;
    const address = record + batchLayout.address;
    for (let index = 0; index < 32; index += 1) {
      bytes[at + 1 + index] = batch[owner + index] as number;
      bytes[at + 33 + index] = batch[address + index] as number;
    }
  }

  #hash32(length: number): Uint8Array {
    const { block, length: blockLength, flags } = this.#absorb(length);
    this.#kernel.compress(CHAINING_AT, block, 0, blockLength, flags);
    return this.#bytes.slice(CHAINING_AT, CHAINING_AT + 32);
  }

  /** Hashes everything but the root block, and leaves that block's chaining value. */
  #absorb(length: number): Root {
    this.#bytes.fill(0, inputAt + length, inputAt + length + blockBytes);
    if (length <= chunkBytes) {
      const last = this.#absorbChunk(inputAt, length, 0);
      return { ...last, flags: last.flags | blake3Flags.root };
    }
    return this.#absorbTree(length);
  }

  /** All blocks of a chunk but its last. */
  #absorbChunk(at: number, length: number, chunk: number): Root {
    this.#chaining.set(this.#initial);
    let flags: number = blake3Flags.chunkStart;
    let block = at;
    let left = length;
    for (; left > blockBytes; left -= blockBytes, block += blockBytes) {
      this.#kernel.compress(CHAINING_AT, block, chunk, blockBytes, flags);
      flags = 0;
    }
    return { block, length: left, flags: flags | blake3Flags.chunkEnd };
  }

  #absorbTree(length: number): Root {
    const chunks = Math.ceil(length / chunkBytes);
    const stack: Uint32Array[] = [];
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      const start = chunk * chunkBytes;
      const last = this.#absorbChunk(inputAt + start, Math.min(chunkBytes, length - start), chunk);
      // The block after a chunk is the next chunk's first. Only the very last block may be short; zeros follow it.
      this.#kernel.compress(CHAINING_AT, last.block, chunk, last.length, last.flags);
      let value = this.#chaining.slice();
      if (chunk === chunks - 1) {
        while (stack.length > 1) value = this.#parent(stack.pop() as Uint32Array, value, 0);
        this.#putParent(stack.pop() as Uint32Array, value);
        this.#chaining.set(this.#initial);
        break;
      }
      for (let count = chunk + 1; (count & 1) === 0; count >>= 1)
        value = this.#parent(stack.pop() as Uint32Array, value, 0);
      stack.push(value);
    }
    return { block: PARENT_AT, length: blockBytes, flags: blake3Flags.parent | blake3Flags.root };
  }

  #parent(left: Uint32Array, right: Uint32Array, flags: number): Uint32Array<ArrayBuffer> {
    this.#putParent(left, right);
    this.#chaining.set(this.#initial);
    this.#kernel.compress(CHAINING_AT, PARENT_AT, 0, blockBytes, blake3Flags.parent | flags);
    return this.#chaining.slice();
  }

  #putParent(left: Uint32Array, right: Uint32Array): void {
    const block = new Uint32Array(this.#kernel.memory.buffer, PARENT_AT, 16);
    block.set(left, 0);
    block.set(right, 8);
  }
}

const dataLengthAt = (batch: Uint8Array, record: number): number => {
  const at = record + batchLayout.dataLength;
  return (
    ((batch[at] as number) |
      ((batch[at + 1] as number) << 8) |
      ((batch[at + 2] as number) << 16) |
      ((batch[at + 3] as number) << 24)) >>>
    0
  );
};

/** Adds one lattice hash to another, number by number. */
export const addLattice = (sum: Uint8Array, more: Uint8Array): void => {
  const to = new Uint16Array(sum.buffer, sum.byteOffset, LATTICE_BYTES / 2);
  const from = new Uint16Array(more.buffer, more.byteOffset, LATTICE_BYTES / 2);
  for (let index = 0; index < to.length; index += 1)
    to[index] = (to[index] as number) + (from[index] as number);
};
