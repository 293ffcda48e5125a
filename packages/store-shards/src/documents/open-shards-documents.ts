import type { DocumentStore } from "@lamplight/core";
import { assertStoreOfShards, openPostgresDocuments, ShardChanges } from "@lamplight/store-postgres";
import { parseShardsUrl } from "../location.ts";

/**
 * Opens the documents of a store of several shards for their one writer. Another process may write the store at the same
 * time. The coordinator has the documents, and the shards have the assets that name them.
 *
 * @throws LamplightError as for a store in PostgreSQL; `STORE__OTHER_SHARD`
 */
export const openShardsDocuments = async (url: string): Promise<DocumentStore> => {
  const { coordinator, shards: urls } = parseShardsUrl(url);
  const documents = await openPostgresDocuments({ url: coordinator });
  const shards = urls.map((shard) => new ShardChanges(shard));
  const close = async (): Promise<void> => {
    await Promise.all(shards.map((shard) => shard.close()));
    await documents.close();
  };
  try {
    await assertStoreOfShards(coordinator, urls);
  } catch (error) {
    await close();
    throw error;
  }
  // The rows of assets lie on the shards, so the coordinator does not know which documents are named.
  const { removeOrphans: _, ...offchain } = documents.offchain;
  return {
    offchain,
    readAssetsChangedSince: (changeSeq, limit) => listChanged(shards, changeSeq, limit),
    close,
  };
};

/**
 * Only changes that every shard has: a caller continues from the last one, and would miss what a shard gets later.
 */
const listChanged = async (
  shards: readonly ShardChanges[],
  changeSeq: number,
  limit: number,
): ReturnType<DocumentStore["readAssetsChangedSince"]> => {
  const found = await Promise.all(shards.map((shard) => shard.read(changeSeq, limit)));
  const through = Math.min(...found.map((one) => one.through));
  return found
    .flatMap(({ assets }) => assets)
    .filter((asset) => asset.changeSeq <= through)
    .toSorted((a, b) => a.changeSeq - b.changeSeq)
    .slice(0, limit);
};
