import {
  deriveProgramAddress,
  findProgramAddress,
  type ProgramAddress,
  programAddresses,
} from "@lamplight/codecs";
import { SLOT_MS_FIRST } from "@lamplight/core";
import type { ChainCounts, ChainOptions } from "./chain-options.ts";
import { Random } from "./random.ts";

/** Streams of random numbers. An address or a property depends only on seed, stream and index. */
const streams = {
  wallet: 1,
  mint: 2,
  tokenAccount: 3,
  nativeTokenAccount: 4,
  delegate: 5,
  collection: 6,
  nft: 7,
  nftTokenAccount: 8,
  masterEdition: 9,
  print: 10,
  stake: 11,
  vote: 12,
  node: 13,
  other: 14,
  creator: 15,
  authority: 16,
  program: 17,
  blockhash: 18,
  laterTokenAccount: 19,
  change: 20,
} as const;
export type Stream = keyof typeof streams;

export const SLOTS_PER_EPOCH = 432_000;
const GENESIS_TIMESTAMP = 1_584_368_940n;

/**
 * Shared by the parts of one generated chain. It stores nothing: every address and property is computed from its
 * index, so memory does not grow with the chain.
 */
export class World {
  readonly seed: number;
  readonly counts: ChainCounts;
  readonly #search: boolean;

  constructor(options: ChainOptions) {
    this.seed = options.seed;
    this.counts = options.counts;
    this.#search = options.derivedAddresses !== "hash-once";
  }

  /** Properties of one thing. */
  random(stream: Stream, index: number): Random {
    return new Random(this.seed, streams[stream], index);
  }

  address(stream: Stream, index: number): Uint8Array {
    // The high bit keeps addresses apart from the properties of the same index.
    return new Random(this.seed, (streams[stream] | 0x8000_0000) >>> 0, index).bytes(32);
  }

  /** A random wallet; a few own much. */
  someWallet(random: Random): Uint8Array {
    return this.address("wallet", random.rank(this.counts.wallets));
  }

  /** A random delegate; the first is by far the busiest. */
  someDelegate(random: Random): Uint8Array {
    return this.address("delegate", random.rank(this.counts.delegates));
  }

  /** An address of the Token Metadata program, which all begin with the same seeds. */
  metadataAddress(mint: Uint8Array, ...seeds: readonly Uint8Array[]): ProgramAddress {
    const program = programAddresses.tokenMetadata;
    return this.#derive([metadataSeed, program, mint, ...seeds], program);
  }

  /** Master edition or print of a mint. */
  editionAddress(mint: Uint8Array): ProgramAddress {
    return this.metadataAddress(mint, editionSeed);
  }

  #derive(seeds: readonly Uint8Array[], program: Uint8Array): ProgramAddress {
    if (this.#search) return findProgramAddress(seeds, program);
    return { address: deriveProgramAddress([...seeds, bump255], program), bump: 255 };
  }
}

const slotMs = BigInt(SLOT_MS_FIRST);

/** Unix time of a slot. */
export const timestampOf = (slot: number): bigint => GENESIS_TIMESTAMP + (BigInt(slot) * slotMs) / 1000n;

/** Slots in so many seconds. */
export const slotsIn = (seconds: bigint): bigint => (seconds * 1000n) / slotMs;

export const epochOf = (slot: number): number => Math.floor(slot / SLOTS_PER_EPOCH);

const utf8 = new TextEncoder();
export const editionSeed: Uint8Array = utf8.encode("edition");
export const tokenRecordSeed: Uint8Array = utf8.encode("token_record");
/** The seed of the marker that covers a print number: 248 numbers each. */
export const markerSeed = (index: number): Uint8Array => utf8.encode(String(index));
const metadataSeed = utf8.encode("metadata");
const bump255 = Uint8Array.of(255);
