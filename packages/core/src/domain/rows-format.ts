/**
 * What the rows of a store mean. A store keeps the number it was made with, and a store with another one is refused: its
 * assets were derived by other rules. Raise it with every change of what is derived from the same accounts and
 * transactions, and of how rows are encoded. Stores without a number are of format 1.
 */
export const ROWS_FORMAT = 4;

/** Where stores keep it among their settings. */
export const ROWS_FORMAT_KEY = "rows_format";
