import type { AddressBytes, IndexReader, LedgerState, LinkRole } from "@lamplight/core";
import type { StateReader } from "@lamplight/indexer";
import { shardOf } from "../shard-of.ts";

/**
 * The rows of the shards, each key from the shard that has it. A key that a delta above the settled one touches may be of any
 * state: the caller lays these deltas over it.
 */
export const routedReader = (
  shards: readonly IndexReader[],
  readTrees: IndexReader["readLedger"],
): StateReader => {
  const byKey = <Row>(
    keys: readonly AddressBytes[],
    read: (shard: IndexReader, some: readonly AddressBytes[]) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> => inOrder(keys, shards.length, (place, some) => read(shards[place]!, some));
  return {
    readAccountStates: (addresses) => byKey(addresses, (shard, some) => shard.readAccountStates(some)),
    readSeenSlots: (ids) => byKey(ids, (shard, some) => shard.readSeenSlots(some)),
    readLedger: (kind: LedgerState["kind"], keys) =>
      kind === "tree" ? readTrees(kind, keys) : byKey(keys, (shard, some) => shard.readLedger(kind, some)),
    readLinks: async (targets, roles: readonly LinkRole[], limit) => {
      const lists = await byKey(targets, async (shard, some) => {
        const links = await shard.readLinks(some, roles, limit);
        return some.map((target) => links.filter((link) => Buffer.compare(link.target, target) === 0));
      });
      return lists.flat();
    },
    readLinkPage: (target, role, after, limit) =>
      shards[shardOf(target, shards.length)]!.readLinkPage(target, role, after, limit),
  };
};

/** Asks each shard for its keys, and returns the rows in the order of all keys. */
export const inOrder = async <Row>(
  keys: readonly AddressBytes[],
  shards: number,
  read: (place: number, some: readonly AddressBytes[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const places = Map.groupBy(keys.entries(), ([, key]) => shardOf(key, shards));
  const rows: Row[] = Array.from({ length: keys.length });
  await Promise.all(
    [...places].map(async ([place, entries]) => {
      const found = await read(
        place,
        entries.map(([, key]) => key),
      );
      for (const [at, [index]] of entries.entries()) rows[index] = found[at]!;
    }),
  );
  return rows;
};
