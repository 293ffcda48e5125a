import { getHeapStatistics } from "node:v8";
import { memoryBound } from "@lamplight/core";

// Bounds of following. Beyond them nothing more is derived that is not final, and what is staged and not derived is
// given up: the stream is not listened to any more, a gap is reported, and the source has to restart.

/** Slots kept as they came, from the first update until they are finalized: more than servers replay after a break. */
export const stagedSlotsMax = 4096;
/** Account versions and transactions kept so, all slots together; each takes some 400 bytes of the heap. */
export const stagedVersionsMax: number = Math.min(
  4_000_000,
  Math.floor(getHeapStatistics().heap_size_limit / 1024),
);
/** Account data and transactions kept so, all slots together. */
export const stagedBytesMax = (): number => memoryBound(1 / 4, 4 * 1024 ** 3);
/** Updates, and bytes of their data, between two looks at these bounds. */
export const updatesPerCheck = 10_000;
export const bytesPerCheck = 64 * 1024 ** 2;
/** Slots that are agreed on lie near each other: of two that are further apart, the one that was reported later counts. */
export const agreedApartMax = 20_000;
/** Accounts read from a store at once, when all are needed. */
export const accountsPerPageMax = 1000;

/** A slot that the stream was asked for again has come before it reports this many later ones; else it is missing. */
export const expectedAgainSlots = 8;
