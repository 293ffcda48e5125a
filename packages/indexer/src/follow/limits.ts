// Bounds of following. Beyond them staged slots are given up and have to be told again.

/** Slots kept as they came, from the first update until they are rooted. */
export const stagedSlotsMax = 512;
/** Account versions kept so, all slots together. */
export const stagedVersionsMax = 4_000_000;
/** Accounts read from a store at once, when all are wanted. */
export const accountsPerPageMax = 1000;
