/**
 * What a writer shows of slots above the finalized slot, for processes that serve from this database. A body comes in parts, so
 * that no row is larger than the protocol likes; it is opaque here, and compressed already.
 */
export const schema2 = `
ALTER TABLE head ADD COLUMN confirmed_slot bigint NOT NULL DEFAULT 0;
ALTER TABLE head ADD COLUMN unrooted_revision bigint NOT NULL DEFAULT 0;
CREATE TABLE unrooted_slot (
  slot bigint NOT NULL,
  part integer NOT NULL,
  parent bigint NOT NULL,
  blockhash text,
  revision bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (slot, part)
);
ALTER TABLE unrooted_slot ALTER COLUMN body SET STORAGE EXTERNAL;`;
