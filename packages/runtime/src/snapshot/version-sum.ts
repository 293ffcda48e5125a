import { type AccountBatch, batchLayout } from "@lamplight/core";

/**
 * A checksum over address, slot, write version, lamports, rent epoch and executable flag of all accounts. The chain's
 * own hash does not cover all of these. It does not depend on order, and changes with any bit. It does not protect
 * against forgery.
 */
export interface VersionSum {
  sum: number;
  xor: number;
}

export const emptyVersionSum = (): VersionSum => ({ sum: 0, xor: 0 });

export const joinVersionSum = (to: VersionSum, more: VersionSum): void => {
  to.sum = (to.sum + more.sum) >>> 0;
  to.xor = (to.xor ^ more.xor) >>> 0;
};

export const versionSumText = ({ sum, xor }: VersionSum): string =>
  [sum, xor].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");

// Odd, so that multiplication is reversible. Signed, because V8 keeps only signed 32-bit numbers as integers.
const ADDRESS_FACTOR = 0x9e3779b1 | 0;
const REST_FACTOR = 0x85ebca6b | 0;
const LAST_FACTOR = 0xc2b2ae35 | 0;
/** Offsets of words in a record. */
const word = {
  writeVersion: batchLayout.writeVersion / 4,
  address: batchLayout.address / 4,
  lamports: batchLayout.lamports / 4,
  programOwner: batchLayout.programOwner / 4,
  executable: batchLayout.executable / 4,
  slot: batchLayout.slot / 4,
} as const;
/** A larger upper half is no write version, and counts as zero. */
const WRITE_VERSION_HIGH_MAX = 2 ** 21;

export const versionSumOf = ({ bytes, records }: AccountBatch): VersionSum => {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  const joined = new Int32Array(2);
  addAll(words, records, joined);
  return { sum: (joined[0] as number) >>> 0, xor: (joined[1] as number) >>> 0 };
};

/** Keep this loop alone in its function: code after it makes V8 deoptimize the loop on exit. */
const addAll = (words: Uint32Array, records: Uint32Array, joined: Int32Array): void => {
  for (let index = 0; index < records.length; index += 1) {
    const hash = hashAt(words, (records[index] as number) >>> 2);
    joined[0] = ((joined[0] as number) + hash) | 0;
    joined[1] = (joined[1] as number) ^ hash ^ (hash >>> 16);
  }
};

/** Two independent chains of multiplications, which the processor runs in parallel. */
const hashAt = (words: Uint32Array, at: number): number => {
  let address = 0;
  for (let index = at + word.address; index < at + word.lamports; index += 1)
    address = Math.imul(address ^ (words[index] as number), ADDRESS_FACTOR);
  let rest = 0;
  for (let index = at + word.lamports; index < at + word.programOwner; index += 1)
    rest = Math.imul(rest ^ (words[index] as number), REST_FACTOR);
  rest = Math.imul(rest ^ (words[at + word.slot] as number), REST_FACTOR);
  rest = Math.imul(rest ^ (words[at + word.slot + 1] as number), REST_FACTOR);
  const high = words[at + word.writeVersion + 1] as number;
  const isVersion = high < WRITE_VERSION_HIGH_MAX;
  rest = Math.imul(rest ^ (isVersion ? (words[at + word.writeVersion] as number) : 0), REST_FACTOR);
  rest = Math.imul(rest ^ (isVersion ? high : 0), REST_FACTOR);
  // The first of the four bytes is the executable flag.
  if (((words[at + word.executable] as number) & 0xff) === 1) rest = Math.imul(rest ^ 1, REST_FACTOR);
  return Math.imul(address ^ (address >>> 15) ^ rest ^ (rest >>> 13), LAST_FACTOR);
};
