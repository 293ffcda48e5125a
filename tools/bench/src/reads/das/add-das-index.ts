import { beginNodes, fillHolders, fillNodes, listsTrees } from "@lamplight/indexer";
import { openStoreForWriting } from "@lamplight/runtime";

/** Does what `lamplight index add das` does. */
export const addDasIndex = async (url: string): Promise<void> => {
  const store = await openStoreForWriting(url, { create: false });
  try {
    const { holders } = store;
    if (!listsTrees(store) || holders === undefined) throw new Error(`${url} cannot keep proofs`);
    await fillHolders(store, holders);
    await beginNodes(store);
    await fillNodes(store, { signal: new AbortController().signal });
  } finally {
    await store.close();
  }
};
