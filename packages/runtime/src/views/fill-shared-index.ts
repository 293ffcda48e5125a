import type { Log } from "@lamplight/core";
import type { SharedIndex } from "@lamplight/search";
import { openStoreForReading } from "../store/open-store.ts";
import { ServeSearch } from "./serve-search.ts";

/**
 * Fills the search index of a store, or reads the saved one, for several threads. Takes memory for an index of its own
 * in the meantime: best called in a thread that ends afterwards.
 *
 * @returns null where the index did not be at one state of the store in the end
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const fillSharedIndex = async (
  url: string,
  { searchCache, log }: { readonly searchCache: string; readonly log: Log },
): Promise<SharedIndex | null> => {
  const store = await openStoreForReading(url, { views: 0, searchCache });
  const search = new ServeSearch(store, store.searchFile, log);
  search.start();
  const life = await search.filled;
  // Saves it, too.
  await search.close();
  store.close();
  return life.share();
};
