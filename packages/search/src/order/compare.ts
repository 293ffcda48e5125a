/** Compares two ordinals by the order's key, ties by id: never 0 for different assets. */
export type CompareOrdinals = (a: number, b: number) => number;

/** Compares an asset with a sought position: negative = before it. */
export type CompareToPosition = (ordinal: number) => number;
