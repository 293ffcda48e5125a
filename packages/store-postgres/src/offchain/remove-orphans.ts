import { jsonUriHash, type OrphansStep } from "@lamplight/core";
import { textFromColumn } from "../columns/text-column.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { bulkDelete, runBulk } from "../writes/bulk.ts";

const listPage = statement(
  "SELECT uri_key, uri, first_seen_ms < $3 FROM offchain WHERE uri_key > $1 ORDER BY uri_key LIMIT $2",
);
const listNamed = statement(
  "SELECT DISTINCT json_uri_hash FROM asset WHERE json_uri_hash = ANY ($1::bigint[])",
);
const deleteRows = bulkDelete("offchain", [["uri_key", "bytea"]]);

/**
 * Within the session's current transaction. Two URIs may have one hash: then both stay as long as an asset names one of
 * them. A commit at the same time may name a URI that is removed here: it is a changed asset, so its URI gets a new row.
 */
export const removeOrphans = async (
  session: Session,
  after: string | null,
  limit: number,
  beforeMs: number,
): Promise<OrphansStep> => {
  const page = await session.all(listPage, Buffer.from(after ?? "", "hex"), limit, beforeMs);
  const old = page.filter(([, , isOld]) => isOld === true);
  const hashes = old.map(([, uri]) => jsonUriHash(textFromColumn(uri)));
  const named = new Set(
    (await session.all(listNamed, arrayParameter("bigint", hashes))).map(([hash]) => BigInt(hash as bigint)),
  );
  const orphans = old.filter((_, index) => !named.has(BigInt(hashes[index]!)));
  const removed = await runBulk(
    session,
    deleteRows,
    orphans.map(([key]) => [key as Uint8Array]),
  );
  const last = page.at(-1)?.[0] as Uint8Array | undefined;
  return {
    removed,
    after: last === undefined || page.length < limit ? null : Buffer.from(last).toString("hex"),
  };
};
