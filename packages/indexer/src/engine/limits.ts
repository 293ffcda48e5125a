import { memoryBound } from "@lamplight/core";

// Every bound of the engine. All are about memory: a step that needs more takes several commits.

/** Account updates in one commit. */
export const accountsPerCommitMax = 5_000;
/** Transactions in one commit. */
export const transactionsPerCommitMax = 500;
/** Assets derived in one round of reads. */
export const assetsPerRoundMax = 1_000;
/** Assets that other assets' changes may add to a commit; what is more goes into commits of its own before it. */
export const fanOutPerCommitMax = 10_000;
/** Account versions whose claims are remembered: those of a commit, old and new, with what is around them. */
export const claimsRememberedMax = 20_000;
/** Links read at once; a list that fills it is read on page by page. */
export const linksPerPage = 256;
/** Links of one role that an asset is derived from: ascending by address, the rest is left out and reported. */
export const linksPerAssetMax = 65_536;
/** Assets read at once by verify. */
export const assetsPerVerifyPage = 1_000;
/** Differences that verify lists; more are counted only. */
export const differencesListedMax = 100;
/** Accounts without which one explained asset is derived again; more are counted only. */
export const sourcesExplainedMax = 32;
/** Memory of a derived asset in addition to its document: facts, addresses, entries of maps. Measured, rounded up. */
export const derivedAssetBytes = 2_048;
/** Versions that an indexer remembers in addition to those in its store: their data and what each takes besides. */
export const rememberedBytesMax = (): number => memoryBound(1 / 32, 512 * 1024 ** 2);
export const rememberedAccountBytes = 512;
/** Remembered versions of one account: those of the newest slots. */
export const versionsPerAccountMax = 1_024;
