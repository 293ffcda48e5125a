/**
 * The version of the encoding of rows, and of everything that a load writes from accounts and transactions one by one:
 * account facts, links, editions, compression states. A store keeps the number it was made with, and a store with
 * another one is refused: it must be loaded again. A change of what is made of the states around an asset raises
 * `DERIVATION` instead. Stores without a number are of format 1.
 */
export const ROWS_FORMAT = 4;

/** Name of the number among a store's settings. */
export const rowsFormatKey = "rows_format";
