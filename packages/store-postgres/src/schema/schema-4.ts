import { decodeOffchainRow, offchainColumns, offchainValues } from "../offchain/offchain-row.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { bulkUpsert, runBulk } from "../writes/bulk.ts";

/**
 * Queues of off-chain documents: `queue` is `documentQueueOf(uri)`, set in every row that has a date. Names are compared
 * by their bytes, whatever the database's locale.
 */
export const schema4 = `
ALTER TABLE offchain ADD COLUMN queue text COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX offchain_new;
CREATE INDEX offchain_queue ON offchain (queue, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX offchain_queue_new ON offchain (queue, first_seen_ms) WHERE due_ms IS NOT NULL AND fetched_ms IS NULL;
CREATE INDEX offchain_queue_tried ON offchain (queue, due_ms) WHERE due_ms IS NOT NULL AND fetched_ms IS NOT NULL;`;

const pageRows = 1000;
const rowPage = statement(
  `SELECT ${offchainColumns.map(([name]) => name).join(", ")} FROM offchain
WHERE due_ms IS NOT NULL AND uri_key > $1 ORDER BY uri_key LIMIT $2`,
);
const putRows = bulkUpsert("offchain", offchainColumns, ["uri_key"]);

/** Names the queues of the rows that an older version wrote: a row is written with the queue of its URI. */
export const fillQueues = async (session: Session): Promise<void> => {
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(rowPage, after, pageRows);
    if (rows.length === 0) return;
    await runBulk(session, putRows, rows.map(decodeOffchainRow).map(offchainValues));
    after = rows.at(-1)![0] as Uint8Array<ArrayBuffer>;
  }
};
