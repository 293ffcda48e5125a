import { describe } from "vitest";
import { describeAccounts } from "./parts/accounts.ts";
import { describeAssets } from "./parts/assets.ts";
import { describeCachedItems } from "./parts/cached-items.ts";
import { type CopySetup, describeCopies } from "./parts/copies.ts";
import { describeCommits } from "./parts/commits.ts";
import { type CrashSetup, describeCrashes } from "./parts/crash.ts";
import { describeDelegates } from "./parts/delegates.ts";
import { describeEditions } from "./parts/editions.ts";
import { describeHolders } from "./parts/holders.ts";
import { describeLargest } from "./parts/largest.ts";
import { describeLists } from "./parts/lists.ts";
import { describeNextSet } from "./parts/next-set.ts";
import { describeOffchain } from "./parts/offchain.ts";
import { describeSearch } from "./parts/search.ts";
import { describeTerms } from "./parts/terms.ts";
import { describeViews } from "./parts/views.ts";
import type { CreateStore } from "./store-under-test.ts";

/** What a store does not do, or does too slowly for the usual number of cases. */
export interface StoreLimits {
  /** Whether it caches joined items of pages; default yes. */
  readonly cachesItems?: boolean;
  /** Whether it can index the token accounts of each mint; default yes. */
  readonly keepsHolders?: boolean;
  /** Whether it derives assets by new rules while those of the old ones answer; default yes. */
  readonly keepsNextSet?: boolean;
  /** Random worlds that are searched. */
  readonly searchRuns?: number;
}

/**
 * Every store must do this, sentence by sentence of core's ports. Registers tests; call it in a test file.
 *
 * ```ts
 * describeStoreConformance("sqlite", async () => {
 *   const file = join(mkdtempSync(join(tmpdir(), "store-")), "index.db");
 *   const store = openSqliteStore({ file, mode: "write" });
 *   const reader = openSqliteReader({ file });
 *   return { store, reader, close: () => { reader.close(); store.close(); } };
 * });
 * ```
 *
 * @param create - an empty store and a reader of it, as another process would open one
 * @param crash - where the store's writer can run in a process of its own: kills it in the middle of commits
 * @param copy - where the store can be copied
 */
export const describeStoreConformance = (
  name: string,
  create: CreateStore,
  crash?: CrashSetup,
  copy?: CopySetup,
  { cachesItems = true, keepsHolders = true, keepsNextSet = true, searchRuns }: StoreLimits = {},
): void => {
  describe(`${name} as a store`, () => {
    describeAccounts(create);
    describeDelegates(create);
    describeLargest(create);
    if (keepsHolders) describeHolders(create);
    describeViews(create);
    describeCommits(create);
    describeLists(create);
    describeEditions(create);
    describeAssets(create);
    if (keepsNextSet) describeNextSet(create);
    describeSearch(create, searchRuns);
    describeTerms(create);
    describeOffchain(create);
    if (cachesItems) describeCachedItems(create);
    if (crash !== undefined) describeCrashes(crash);
    if (copy !== undefined) describeCopies(copy);
  });
};

/** The search part alone: for an index in memory that answers in a store's place. */
export const describeSearchConformance = (
  name: string,
  create: CreateStore,
  { searchRuns }: StoreLimits = {},
): void => {
  describe(`${name} as a search`, () => describeSearch(create, searchRuns));
};
