import type { Criterion } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { foldName } from "../columns/asset-row.ts";
import type { Connection } from "../engine/connection.ts";
import { criterionSql, nameContainsSql, needsHoldings } from "./search-criteria.ts";

export const listOrdinalsSql = (criterion: Criterion): string =>
  `SELECT asset.ord FROM asset WHERE ${criterionSql(criterion).sql} ORDER BY asset.ord LIMIT ?`;

/** Assets that meet one criterion, by an index, ascending; null when there are more than `limit`. */
export const prepareListOrdinals =
  (
    connection: Connection,
    hasHoldings: () => boolean,
  ): ((criterion: Criterion, limit: number) => Uint32Array | null) =>
  (criterion, limit) => {
    if (needsHoldings(criterion) && !hasHoldings()) {
      throw new LamplightError("STORE__NOT_COVERED", { what: "fungible holdings of owners" });
    }
    const statement = connection.prepare(listOrdinalsSql(criterion));
    const rows = statement.all(...criterionSql(criterion).values, limit + 1);
    return rows.length > limit ? null : Uint32Array.from(rows, (row) => Number(row[0]));
  };

const filterByNameSql = `SELECT asset.ord FROM json_each(?) AS asked
CROSS JOIN asset ON asset.ord = asked.value WHERE ${nameContainsSql} ORDER BY asked.key`;

export const prepareFilterByName = (
  connection: Connection,
): ((ordinals: Uint32Array, name: string) => Uint32Array) => {
  const statement = connection.prepare(filterByNameSql);
  return (ordinals, name) =>
    Uint32Array.from(statement.all(`[${ordinals.join(",")}]`, foldName(name)), (row) => Number(row[0]));
};
