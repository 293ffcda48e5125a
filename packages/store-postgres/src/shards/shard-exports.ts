import type { StoreExport } from "@lamplight/core";
import { openExportWith } from "../copy/export-store.ts";
import { statement } from "../engine/statement.ts";
import { readDeltaHead } from "./delta-tables.ts";

const readNumber = statement("SELECT number FROM node_slot WHERE id = 1");

/**
 * Exports each database of a store of several shards, the coordinator first. Each has its own snapshot. They fit
 * together where all of them have the same newest delta, since its rows come in one transaction with its number.
 *
 * @returns null where the rows of a shard are behind
 * @throws LamplightError of the STORE family
 */
export const openShardExports = async (
  coordinator: string,
  shards: readonly string[],
): Promise<readonly StoreExport[] | null> => {
  const opening = await Promise.allSettled([
    openExportWith(coordinator, async (session) => (await readDeltaHead(session)).published),
    ...shards.map((shard) =>
      openExportWith(shard, async (session) => Number((await session.get(readNumber))?.[0])),
    ),
  ]);
  const opened = opening.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = opening.find((one) => one.status === "rejected");
  if (failed === undefined && opened.every(({ found }) => found === opened[0]!.found))
    return opened.map(({ kept }) => kept);
  await Promise.all(opened.map(({ kept }) => kept.close()));
  if (failed !== undefined) throw failed.reason;
  return null;
};
