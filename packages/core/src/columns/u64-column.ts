// Integers of SQLite and PostgreSQL are signed. A u64 is kept with its range shifted down by 2^63, so that the engine's
// order is the order of the values, in indexes too. The price is eight bytes for every value, however small.

const SHIFT = 2n ** 63n;

/** @param value - 0 to 2^64 - 1 */
export const u64ToColumn = (value: bigint): bigint => value - SHIFT;

export const u64FromColumn = (column: bigint): bigint => column + SHIFT;
