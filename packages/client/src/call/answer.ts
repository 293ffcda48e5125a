/** A result, and the state it was read from. */
export interface Answer<Result> {
  /** The result of the method. */
  readonly result: Result;
  /** Slot of the whole answer; null where a batch read several, or a proxy dropped the header `X-Slot`. */
  readonly slot: number | null;
  /** Slot of the last write to an account of the asset, or of the last event of its leaf; null in a batch, and for other methods than `getAsset`. */
  readonly updatedSlot: number | null;
  /** Addresses of up to 20 compressed trees of which a missing leaf could change the answer; usually none. */
  readonly incompleteTrees: readonly string[];
}

/** A method gives its result, or with `client.withMeta` the whole answer. */
export type Reply<Result, M extends boolean> = M extends true ? Answer<Result> : Result;

/** Pages of a list, one after another. */
export interface WalkOptions {
  /** Pages that are requested before the caller asks for them, 0 to 8; default 1. */
  readonly readAhead?: number | undefined;
  /** Ends the walk with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * All items of a list, in its order. One walk can be iterated once.
 *
 * `cursor` is where a later walk goes on: pass it as the parameter `cursor`. Items of a page that was left in the
 * middle are then repeated. It is undefined before the second page and after the last.
 */
export interface Walk<Item, Page> extends AsyncIterableIterator<Item, undefined> {
  /** Start of the page after the one that was read last. */
  readonly cursor: string | undefined;
  /** The same walk page by page, with `total` and the other members of each answer. */
  pages(): AsyncIterableIterator<Page, undefined>;
}
