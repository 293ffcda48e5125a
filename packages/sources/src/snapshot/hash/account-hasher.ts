import { batchLayout } from "@lamplight/core";
import { ACCOUNT_DATA_LIMIT_BYTES } from "../snapshot-limits.ts";
import { blake3Flags, blake3Words, createBlake3Kernel, latticeGroups } from "./blake3-kernel.ts";

/** Bytes of a lattice hash: 1024 little-endian numbers of 16 bits. */
export const LATTICE_BYTES = 2048;

/** Up to so many bytes, copying one by one is faster than asking the engine to. */
const shortBytes = 64;
const blockBytes = 64;
const chunkBytes = 1024;
// Places in the kernel's memory.
const chainingAt = 0;
const parentAt = 64;
const sumAt = 1024;
const inputAt = 4096;
const inputBytesMax = 8 + 8 + ACCOUNT_DATA_LIMIT_BYTES + 1 + 32 + 32;
const pageBytes = 65_536;

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

/** Hashes accounts, and keeps the sum of their lattice hashes. One per thread; not reentrant. */
export class AccountHasher {
  readonly #kernel = createBlake3Kernel(Math.ceil((inputAt + inputBytesMax + blockBytes) / pageBytes));
  readonly #bytes = new Uint8Array(this.#kernel.memory.buffer);
  readonly #chaining = new Uint32Array(this.#kernel.memory.buffer, chainingAt, 8);
  readonly #initial = Uint32Array.from(blake3Words);

  /** 32 bytes. */
  hashBytes(input: Uint8Array): Uint8Array {
    if (input.length > inputBytesMax) throw new RangeError(`cannot hash ${input.length} bytes at once`);
    this.#bytes.set(input, inputAt);
    return this.#hash32(input.length);
  }

  /** The account hash of the merkle era, 32 bytes. */
  hashAccount(fields: HashedFields): Uint8Array {
    return this.#hash32(this.#put(fields));
  }

  /** Adds the account to the sum. */
  addToLattice(fields: HashedFields): void {
    const root = this.#absorb(this.#put(fields));
    this.#kernel.addLattice(chainingAt, root.block, root.length, root.flags, sumAt);
  }

  /** The same for a record of a batch, without an object for it. */
  addRecordToLattice(batch: Uint8Array, record: number, withRentEpoch: boolean): void {
    const root = this.#absorb(this.#putRecord(batch, record, withRentEpoch));
    this.#kernel.addLattice(chainingAt, root.block, root.length, root.flags, sumAt);
  }

  /** The sum so far, 2048 bytes; the next one begins at zero. */
  takeLattice(): Uint8Array {
    const lanes = new DataView(this.#kernel.memory.buffer, sumAt, LATTICE_BYTES);
    const lattice = new Uint8Array(LATTICE_BYTES);
    const view = new DataView(lattice.buffer);
    for (let group = 0; group < latticeGroups; group += 1) {
      for (let word = 0; word < 16; word += 1) {
        for (let lane = 0; lane < 4; lane += 1) {
          const value = lanes.getUint32(256 * group + 16 * word + 4 * lane, true);
          view.setUint32(blockBytes * (4 * group + lane) + 4 * word, value, true);
        }
      }
    }
    this.#bytes.fill(0, sumAt, sumAt + LATTICE_BYTES);
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

  #putRecord(batch: Uint8Array, record: number, withRentEpoch: boolean): number {
    const bytes = this.#bytes;
    // The rent epoch follows the lamports.
    const heads = withRentEpoch ? 16 : 8;
    let at = inputAt;
    const head = record + batchLayout.lamports;
    for (let index = 0; index < heads; index += 1) bytes[at + index] = batch[head + index] as number;
    at += heads;
    const data = record + batchLayout.data;
    const length = dataLengthAt(batch, record);
    if (length <= shortBytes)
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
    return at + 65 - inputAt;
  }

  #hash32(length: number): Uint8Array {
    const { block, length: blockLength, flags } = this.#absorb(length);
    this.#kernel.compress(chainingAt, block, 0, blockLength, flags);
    return this.#bytes.slice(chainingAt, chainingAt + 32);
  }

  /** Hashes everything but the root block, whose chaining value is then in place. */
  #absorb(length: number): { readonly block: number; readonly length: number; readonly flags: number } {
    this.#bytes.fill(0, inputAt + length, inputAt + length + blockBytes);
    if (length <= chunkBytes) {
      const last = this.#absorbChunk(inputAt, length, 0);
      return { ...last, flags: last.flags | blake3Flags.root };
    }
    return this.#absorbTree(length);
  }

  /** All blocks of a chunk but its last. */
  #absorbChunk(at: number, length: number, chunk: number): { block: number; length: number; flags: number } {
    this.#chaining.set(this.#initial);
    let flags: number = blake3Flags.chunkStart;
    let block = at;
    let left = length;
    for (; left > blockBytes; left -= blockBytes, block += blockBytes) {
      this.#kernel.compress(chainingAt, block, chunk, blockBytes, flags);
      flags = 0;
    }
    return { block, length: left, flags: flags | blake3Flags.chunkEnd };
  }

  #absorbTree(length: number): { block: number; length: number; flags: number } {
    const chunks = Math.ceil(length / chunkBytes);
    const stack: Uint32Array[] = [];
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      const start = chunk * chunkBytes;
      const last = this.#absorbChunk(inputAt + start, Math.min(chunkBytes, length - start), chunk);
      // The block after a chunk is the next chunk's: only the very last may be short, and it is followed by zeros.
      this.#kernel.compress(chainingAt, last.block, chunk, last.length, last.flags);
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
    return { block: parentAt, length: blockBytes, flags: blake3Flags.parent | blake3Flags.root };
  }

  #parent(left: Uint32Array, right: Uint32Array, flags: number): Uint32Array<ArrayBuffer> {
    this.#putParent(left, right);
    this.#chaining.set(this.#initial);
    this.#kernel.compress(chainingAt, parentAt, 0, blockBytes, blake3Flags.parent | flags);
    return this.#chaining.slice();
  }

  #putParent(left: Uint32Array, right: Uint32Array): void {
    const block = new Uint32Array(this.#kernel.memory.buffer, parentAt, 16);
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
