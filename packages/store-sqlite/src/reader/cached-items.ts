import { ItemCache, type ItemsOfState } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

/** Finished items that one reader caches, for all its connections to one file. */
export class CachedItems {
  readonly cache = new ItemCache();
  /** Numbers of the last changes that the cache has seen: of assets, and of contents that documents add to them. */
  changeSeq = 0;
  contentSeq = 0;
}

/** Changes that are looked up one by one. If there are more, all items are forgotten. */
const CHANGES_MAX = 4096;

/** The counters of a view, and whether there are documents at all. */
export const itemStateSql = `SELECT change_seq,
ifnull((SELECT max(content_seq) FROM offchain WHERE content_seq > 0), 0), EXISTS (SELECT 1 FROM offchain)
FROM head WHERE id = 1`;

export const changedItemsSql = "SELECT ord FROM asset WHERE change_seq > ? LIMIT ?";
/**
 * Assets whose documents changed. Two URIs may have one hash: then more are forgotten. A document that no asset names is
 * a row of its own, so that the limit also bounds the documents that are read.
 */
export const changedContentsSql = `SELECT asset.ord FROM offchain
LEFT JOIN asset ON asset.json_uri_hash = offchain.uri_hash
WHERE content_seq > 0 AND content_seq > ? LIMIT ?`;

/**
 * A view that is newer than the cache moves it on. For an older one it has nothing, since what changed in between is
 * forgotten.
 */
export const prepareItemCache = (connection: Connection, items: CachedItems): (() => ItemsOfState | null) => {
  const readState = connection.prepareSmall(itemStateSql);
  const listAssets = connection.prepareSmall(changedItemsSql);
  const listContents = connection.prepareSmall(changedContentsSql);
  const listChanged = (): number[] | null => {
    if (items.cache.isEmpty) return null;
    const changed = listAssets.all(items.changeSeq, CHANGES_MAX + 1);
    if (changed.length > CHANGES_MAX) return null;
    const contents = listContents.all(items.contentSeq, CHANGES_MAX + 1);
    if (contents.length > CHANGES_MAX) return null;
    return [...changed, ...contents]
      .map((row) => row[0] as number | null)
      .filter((ordinal) => ordinal !== null);
  };
  return () => {
    const [changeSeq, contentSeq, hasDocuments] = readState.get() as readonly [number, number, number];
    if (hasDocuments === 0 || changeSeq < items.changeSeq || contentSeq < items.contentSeq) return null;
    if (changeSeq > items.changeSeq || contentSeq > items.contentSeq) {
      items.cache.moveOn(listChanged());
      items.changeSeq = changeSeq;
      items.contentSeq = contentSeq;
    }
    return items.cache.state;
  };
};
