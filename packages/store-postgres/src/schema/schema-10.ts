/**
 * Token accounts of each mint in two orders, and their numbers. They have rows only where an operator asks for them.
 * `amount` holds a u64 shifted down by 2^63 (core's `u64-column.ts`).
 */
export const schema10 = `
CREATE TABLE holder (
  mint bytea NOT NULL,
  positive boolean NOT NULL,
  token_account bytea NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (mint, positive, token_account)
);
CREATE INDEX holder_amount ON holder (mint, amount, token_account);
CREATE TABLE holder_count (
  mint bytea PRIMARY KEY,
  positive bigint NOT NULL,
  empty bigint NOT NULL
);`;
