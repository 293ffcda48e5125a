import { ItemCache, type ItemsOfState, jsonUriHash, type MaybePromise, type Ordinal } from "@lamplight/core";
import { textFromColumn } from "../columns/text-column.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import type { ViewHead } from "../queries/read-head.ts";

/** Changes that are looked up one by one. If there are more, all items are forgotten. */
const CHANGES_MAX = 4096;
/**
 * Bytes of the URIs of changed documents: one may contain its document, in 256 KiB. If there are more, all items are
 * forgotten.
 */
const CHANGED_URI_BYTES_MAX = 4 << 20;

const changedAssets = statement("SELECT ord FROM asset WHERE change_seq > $1 ORDER BY change_seq LIMIT $2");
/** The URIs are null where together they are too long. */
const changedContents = statement(
  `SELECT CASE WHEN sum(octet_length(uri)) OVER () <= ${CHANGED_URI_BYTES_MAX} THEN uri END FROM (
SELECT uri FROM offchain WHERE content_seq > 0 AND content_seq > $1 ORDER BY content_seq LIMIT $2) AS changed`,
);
const assetsOfUris = statement("SELECT ord FROM asset WHERE json_uri_hash = ANY ($1::bigint[]) LIMIT $2");

/** Tests of the plans use these statements. */
export const changeStatements = { changedAssets, changedContents, assetsOfUris };

type ItemsAt = Pick<ViewHead, "changeSeq"> & { readonly contentSeq: number };

/** Finished items of one history of the store, which one reader caches for all its sessions. */
export class CachedItems {
  readonly #cache: ItemCache;
  /** Numbers of the last changes that the cache has seen: of assets, and of contents that documents add to them. */
  #at: ItemsAt = { changeSeq: 0, contentSeq: 0 };
  #isEnded = false;

  constructor(cache: ItemCache) {
    this.#cache = cache;
  }

  /** Forgets all, because the cache is now of another history. */
  end(): void {
    this.#isEnded = true;
    this.#cache.moveOn(null);
  }

  /**
   * A view that is newer than the cache moves it on. For an older one it has nothing, since what changed in between is
   * forgotten.
   *
   * @param session - that reads the view
   */
  at(head: ItemsAt, session: Session): MaybePromise<ItemsOfState | null> {
    if (this.#isEnded || isBefore(head, this.#at)) return null;
    if (isBefore(this.#at, head)) {
      if (!this.#cache.isEmpty) return this.#follow(head, session);
      this.#moveOn(head, null);
    }
    return this.#cache.state;
  }

  /** Null where another view has moved the cache elsewhere in the meantime. */
  async #follow(head: ItemsAt, session: Session): Promise<ItemsOfState | null> {
    const { state } = this.#cache;
    const changed = await listChanged(session, this.#at);
    if (this.#cache.state === state) this.#moveOn(head, changed);
    const isThere = !isBefore(head, this.#at) && !isBefore(this.#at, head);
    return isThere && !this.#isEnded ? this.#cache.state : null;
  }

  #moveOn({ changeSeq, contentSeq }: ItemsAt, changed: readonly Ordinal[] | null): void {
    this.#cache.moveOn(changed);
    this.#at = { changeSeq, contentSeq };
  }
}

/** Both numbers only rise within one history. */
const isBefore = (one: ItemsAt, other: ItemsAt): boolean =>
  one.changeSeq < other.changeSeq || one.contentSeq < other.contentSeq;

/** Assets that may look different than they did before; null = too many. */
const listChanged = async (
  session: Session,
  { changeSeq, contentSeq }: ItemsAt,
): Promise<readonly Ordinal[] | null> => {
  const [assets, contents] = await Promise.all([
    session.all(changedAssets, changeSeq, CHANGES_MAX + 1),
    session.all(changedContents, contentSeq, CHANGES_MAX + 1),
  ]);
  if (Math.max(assets.length, contents.length) > CHANGES_MAX) return null;
  const changed = assets.map(([ordinal]) => Number(ordinal));
  if (contents.length === 0) return changed;
  if (contents[0]![0] === null) return null;
  // Two URIs may have one hash: then more are forgotten.
  const hashes = contents.map(([uri]) => jsonUriHash(textFromColumn(uri)));
  const named = await session.all(assetsOfUris, arrayParameter("bigint", hashes), CHANGES_MAX + 1);
  return named.length > CHANGES_MAX ? null : [...changed, ...named.map(([ordinal]) => Number(ordinal))];
};
