// A store with the demo chain, for tests of commands that read one.
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";

/** Makes the store file and leaves it closed. */
export const createDemoStore = async (file: string): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  try {
    await store.writeCoverage({ kind: "whole" });
    const indexer = createIndexer(store);
    let slot = 0;
    for (const { accounts } of demoChain()) {
      await indexer.applyAccounts(accounts, null);
      slot = accounts.reduce((highest, account) => Math.max(highest, account.slot), slot);
    }
    await indexer.applyAccounts([], { slot, blockhash: null });
  } finally {
    await store.close();
  }
};
