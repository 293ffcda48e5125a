/**
 * `content_seq` of a document is the number of the last change of its `content`; at most 0 = not changed since this
 * step. The head has the highest. Caches of joined items ask for the documents after a number.
 */
export const schema7 = `
ALTER TABLE head ADD COLUMN content_seq bigint NOT NULL DEFAULT 0;
ALTER TABLE offchain ADD COLUMN content_seq bigint NOT NULL DEFAULT 0;
CREATE INDEX offchain_content_seq ON offchain (content_seq) WHERE content_seq > 0;`;
