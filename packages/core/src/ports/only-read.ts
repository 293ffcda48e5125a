import type { ReadOf } from "./reads.ts";

/** A read that a store may answer with one statement, where it is the only one of a call. */
export type OnlyRead = ReadOf<"account" | "accountWithMint" | "asset" | "delegated"> & {
  /** Set by the store while it reads, for a caller that is gone; absent where nothing takes long enough to be stopped. */
  stop?: (() => void) | null;
};

/**
 * What a view throws that holds the answer to one `OnlyRead` and is asked for anything else. It has no state of the
 * store to go on reading in: the call starts again, on a view that can read everything.
 */
export class MoreReads extends Error {
  constructor() {
    super("the view holds only what was named beforehand");
    this.name = "MoreReads";
  }
}
