import type { Log } from "@lamplight/core";
import type { SharedIndex } from "@lamplight/search";
import { openStoreForReading } from "../store/open-store.ts";
import { ServeSearch } from "./serve-search.ts";

/**
 * Fills the search index of a store, or reads the saved one, for several threads. It needs the memory of a second
 * index until it ends, so call it in a thread that ends afterwards.
 *
 * @returns null where the store kept changing, so that the index reached no single state of it
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const fillSharedIndex = async (
  url: string,
  { searchCache, log }: { readonly searchCache: string; readonly log: Log },
): Promise<SharedIndex | null> => {
  const store = await openStoreForReading(url, { views: { most: 0, workers: 1 }, searchCache });
  const search = new ServeSearch(store, store.searchFile, log);
  search.start();
  const life = await search.filled;
  // Closing also saves the index.
  await search.close();
  store.close();
  return life.share();
};
