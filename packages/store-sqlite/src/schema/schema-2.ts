/**
 * Off-chain documents, apart from chain state. `status` is a place in the port's list of statuses; times are
 * milliseconds since 1970; `shown` = the assets that carry the URI show the document.
 */
export const schema2 = `
CREATE TABLE offchain (
  id INTEGER PRIMARY KEY,
  uri_hash INTEGER NOT NULL,
  uri TEXT NOT NULL,
  status INTEGER NOT NULL,
  json TEXT,
  sha256 BLOB,
  etag TEXT,
  last_modified TEXT,
  immutable INTEGER NOT NULL,
  first_seen_ms INTEGER NOT NULL,
  fetched_ms INTEGER,
  due_ms INTEGER,
  attempts INTEGER NOT NULL,
  last_error TEXT,
  shown INTEGER NOT NULL
) STRICT;
CREATE INDEX offchain_uri ON offchain (uri_hash);
CREATE INDEX offchain_new ON offchain (first_seen_ms) WHERE due_ms IS NOT NULL AND fetched_ms IS NULL;
CREATE INDEX offchain_due ON offchain (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX offchain_unshown ON offchain (id) WHERE shown = 0;`;
