import type { IndexStore } from "@lamplight/core";
import type { KnownChain } from "@lamplight/sources/rpc";

/** The chain of a store, and where a source saves it once it is known. */
export const knownChainOf = async (store: IndexStore): Promise<KnownChain> => ({
  genesisHash: await store.readGenesisHash(),
  keep: async (genesisHash) => {
    await store.writeGenesisHash(genesisHash);
  },
});
