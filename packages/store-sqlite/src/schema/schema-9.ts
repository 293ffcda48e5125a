/**
 * Token accounts of each mint in two orders, and their numbers. They have rows only where an operator asks for them.
 * `amount` holds a u64 shifted down by 2^63 (core's `u64-column.ts`).
 */
export const schema9 = `
CREATE TABLE holder (
  mint BLOB NOT NULL,
  positive INTEGER NOT NULL,
  token_account BLOB NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (mint, positive, token_account)
) STRICT, WITHOUT ROWID;
CREATE INDEX holder_amount ON holder (mint, amount, token_account);
CREATE TABLE holder_count (
  mint BLOB PRIMARY KEY,
  positive INTEGER NOT NULL,
  empty INTEGER NOT NULL
) STRICT, WITHOUT ROWID;`;
