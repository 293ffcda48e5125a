/**
 * Slots above the finalized one that a writer publishes to other processes. A body is stored in parts, so that no row
 * is too large for the protocol. It is opaque to the database, and already compressed.
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
