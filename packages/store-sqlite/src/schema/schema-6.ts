/**
 * `content_seq` counts the changes of `content` over all documents; 0 = not changed since this step. Caches of joined
 * items ask for the documents after a number.
 */
export const schema6 = `
ALTER TABLE offchain ADD COLUMN content_seq INTEGER NOT NULL DEFAULT 0;
CREATE INDEX offchain_content_seq ON offchain (content_seq) WHERE content_seq > 0;`;
