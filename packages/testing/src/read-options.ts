import { type Commitment, commitments, type Consensus } from "@lamplight/core";
import { onlyProperties } from "@lamplight/devchain";
import { LamplightError } from "@lamplight/errors";
import type { ListenOptions } from "./access/listen.ts";
import type { AdvanceChoice, TestChainOptions } from "./test-chain-options.ts";

/** Slots after which a block is confirmed, and finalized. */
export interface SlotsUntil {
  readonly confirmed: number;
  readonly finalized: number;
}

/** The wait where `autoFinalize` is on. */
export const atOnce: SlotsUntil = { confirmed: 0, finalized: 0 };

/** Where it is off: about as on real clusters. */
const slotsUntil: Readonly<Record<Consensus, SlotsUntil>> = {
  towerbft: { confirmed: 2, finalized: 32 },
  alpenglow: { confirmed: 1, finalized: 1 },
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` for a property that is no option */
export const checkOptions = onlyProperties<TestChainOptions>()(
  "seed",
  "firstSlot",
  "autoFinalize",
  "consensus",
  "profile",
  "assetCommitment",
  "methods",
  "retry",
);

export const readConsensus = (consensus: Consensus): SlotsUntil => {
  if (Object.hasOwn(slotsUntil, consensus)) return slotsUntil[consensus];
  throw invalid("consensus", "must be towerbft or alpenglow");
};

export const readCommitment = (commitment: Commitment): Commitment => {
  if (commitments.includes(commitment)) return commitment;
  throw invalid("assetCommitment", `must be ${commitments.join(", ")}`);
};

export const readMethods = (methods: TestChainOptions["methods"] = []): readonly "das"[] => {
  if (Array.isArray(methods) && methods.every((one) => one === "das")) return methods;
  throw invalid("methods", 'must be ["das"]');
};

const invalid = (property: string, reason: string): LamplightError =>
  new LamplightError("CHAIN__INVALID_INPUT", { property, reason });

export const checkAdvance = onlyProperties<AdvanceChoice>()("slots");
export const checkListen = onlyProperties<ListenOptions>()("port", "explorer");

export const rethrow = (error: Error): never => {
  throw error;
};
