import { memoryBound } from "@lamplight/core";

// Every bound of the engine. All are about memory: a step that needs more takes several commits.

/** Account updates in one commit. */
export const ACCOUNTS_PER_COMMIT_MAX = 5_000;
/** Transactions in one commit. */
export const TRANSACTIONS_PER_COMMIT_MAX = 500;
/** Assets derived in one round of reads. */
export const ASSETS_PER_ROUND_MAX = 1_000;
/** Assets that other assets' changes may add to a commit; what is more goes into commits of its own before it. */
export const FAN_OUT_PER_COMMIT_MAX = 10_000;
/** Account versions whose claims are remembered: those of a commit, old and new, with what is around them. */
export const CLAIMS_REMEMBERED_MAX = 20_000;
/** Bytes of their data, which stay in memory with them; one more version may be added. */
export const CLAIMS_BYTES_MAX: number = 64 * 1024 ** 2;
/** Blocks of nodes in one commit, where they are made from the leaves of a tree. */
export const BLOCKS_PER_COMMIT_MAX = 250;
/** Accounts that are read at once, and added in one commit, where the token accounts of each mint are indexed. */
export const ACCOUNTS_PER_HOLDER_PAGE = 4_096;
/** Trees that are listed at once to be filled with nodes. */
export const TREES_PER_PAGE = 1_000;
/** Links read at once; a list that fills it is read on page by page. */
export const LINKS_PER_PAGE = 256;
/** Links of one role that an asset is derived from: ascending by address, the rest is left out and reported. */
export const LINKS_PER_ASSET_MAX = 65_536;
/** Ids that one page of the next set compares: few enough that a slot waits milliseconds for it. */
export const ASSETS_PER_FILL_PAGE = 250;
/** Assets read at once by verify. */
export const ASSETS_PER_VERIFY_PAGE = 1_000;
/** Differences that verify lists; more are counted only. */
export const DIFFERENCES_LISTED_MAX = 100;
/** Accounts without which one explained asset is derived again; more are counted only. */
export const SOURCES_EXPLAINED_MAX = 32;
/** Memory of a derived asset in addition to its document: facts, addresses, entries of maps. Measured, rounded up. */
export const DERIVED_ASSET_BYTES = 2_048;
/** Characters of an asset's texts from which changes keep them compressed. Nearly all assets have fewer. */
export const PACKED_CHARS_MIN: number = 16 << 10;
/** Versions that an indexer remembers in addition to those in its store: their data and what each takes besides. */
export const rememberedBytesMax = (): number => memoryBound(1 / 32, 512 * 1024 ** 2);
export const REMEMBERED_ACCOUNT_BYTES = 512;
/** Remembered versions of one account: those of the newest slots. */
export const VERSIONS_PER_ACCOUNT_MAX = 1_024;
