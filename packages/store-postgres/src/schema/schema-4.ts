/**
 * Queues of off-chain documents: `queue` is `documentQueueOf(uri)`, set in every row that has a date. Names are compared
 * by their bytes, regardless of the database's locale.
 */
export const schema4 = `
ALTER TABLE offchain ADD COLUMN queue text COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX offchain_new;
CREATE INDEX offchain_queue ON offchain (queue, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX offchain_queue_new ON offchain (queue, first_seen_ms) WHERE due_ms IS NOT NULL AND fetched_ms IS NULL;
CREATE INDEX offchain_queue_tried ON offchain (queue, due_ms) WHERE due_ms IS NOT NULL AND fetched_ms IS NOT NULL;`;
