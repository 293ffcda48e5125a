/**
 * The version of the rules by which the rows of a store are derived and encoded. A store keeps the number it was made
 * with, and a store with another one is refused: its assets were derived by other rules. Raise it with every change of
 * what is derived from the same accounts and transactions, and of how rows are encoded. Stores without a number are of
 * format 1.
 */
export const ROWS_FORMAT = 4;

/** Name of the number among a store's settings. */
export const rowsFormatKey = "rows_format";
