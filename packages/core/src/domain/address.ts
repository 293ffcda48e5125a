/** The 32 bytes themselves: what stores keep and codecs read. */
export type AddressBytes = Uint8Array;

/** Leader time window; the number `context.slot` answers. Stays below 2^53 for ever. */
export type Slot = number;

export const commitments = ["processed", "confirmed", "finalized"] as const;
export type Commitment = (typeof commitments)[number];
