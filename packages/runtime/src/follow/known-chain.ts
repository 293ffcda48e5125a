import type { IndexStore } from "@lamplight/core";
import type { KnownChain } from "@lamplight/sources/rpc";

/** Which chain a store is of, and where a source keeps it once it is known. */
export const knownChainOf = async (store: IndexStore): Promise<KnownChain> => ({
  genesisHash: await store.readGenesisHash(),
  keep: async (genesisHash) => {
    await store.writeGenesisHash(genesisHash);
  },
});
