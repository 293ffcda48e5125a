import type { RetryPolicy } from "@lamplight/client";
import type { Commitment, Consensus, Profile } from "@lamplight/core";

export interface TestChainOptions {
  /** 0 to 2^32 - 1. The same seed and calls give the same addresses and answers. Default 1. */
  readonly seed?: number;
  /** Slot of the first block. Default 300,000,000. */
  readonly firstSlot?: number;
  /** Whether every operation is finalized at once. Off: slots are confirmed and finalized by `advance`. Default on. */
  readonly autoFinalize?: boolean;
  /**
   * Where `autoFinalize` is off: `towerbft` confirms after 2 slots and finalizes after 32, `alpenglow` does both after 1.
   * Default `towerbft`.
   */
  readonly consensus?: Consensus;
  /** The form in which `chain.client` answers a missing account; see the client's README. Default `spec`. */
  readonly profile?: Profile;
  /**
   * Commitment that the asset methods read at, as a server's setting. With `processed` and `autoFinalize` off, an app can
   * show an asset before it is confirmed. Default `confirmed`.
   */
  readonly assetCommitment?: Commitment;
  /**
   * `["das"]` also serves the DAS methods, with proofs of compressed assets: `chain.fetch`, `chain.transport` and
   * `chain.listen` answer them at every path but `/v3/`. `chain.listen` gives their address as `dasUrl`. Experimental. Default none.
   */
  readonly methods?: readonly "das"[];
  /**
   * The number and the pauses of retries where `chain.fail` answers HTTP 429 or 503 to a call of `chain.client`. False
   * = never. Default: 4 attempts, after 0.5, 1 and 2 s, as every client.
   */
  readonly retry?: Partial<RetryPolicy> | false;
}

/** The distance that `advance` goes. */
export interface AdvanceChoice {
  /** Number of slots, 1 or more. */
  readonly slots: number;
}
