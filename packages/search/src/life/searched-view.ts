import type { AddressBytes, MaybePromise, ReadView } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { createIndexedSearch } from "../indexed-search.ts";
import type { SearchIndex } from "../search-index.ts";

const FILLING_RETRY_SECONDS = 5;
const BEHIND_RETRY_SECONDS = 1;

/**
 * SQL over a large store would hold up everybody for seconds, where a new view is answered from memory in a moment: the
 * caller is asked to come again.
 */
const comeAgain = (retryAfterSeconds: number): ReadView["search"] => ({
  searchAssets: () => {
    throw new LamplightError("STORE__LOADING", { retryAfterSeconds });
  },
});

/** A view of the store with search answered from memory. Made per request, so that everything else is only asked through. */
export class SearchedView implements ReadView {
  readonly #view: ReadView;
  readonly #index: SearchIndex | null;

  readonly #isSmall: boolean;

  /** @param index - null while it is being filled; @param isSmall - SQL may answer where the index cannot */
  constructor(view: ReadView, index: SearchIndex | null, isSmall: boolean) {
    this.#view = view;
    this.#index = index;
    this.#isSmall = isSmall;
  }

  get slot(): ReadView["slot"] {
    return this.#view.slot;
  }
  get accounts(): ReadView["accounts"] {
    return this.#view.accounts;
  }
  get assets(): ReadView["assets"] {
    return this.#view.assets;
  }
  get editions(): ReadView["editions"] {
    return this.#view.editions;
  }
  get terms(): ReadView["terms"] {
    return this.#view.terms;
  }
  get coverage(): ReadView["coverage"] {
    return this.#view.coverage;
  }
  get incompleteTrees(): ReadView["incompleteTrees"] {
    return this.#view.incompleteTrees;
  }
  isTreeIncomplete(tree: AddressBytes): MaybePromise<boolean> {
    return this.#view.isTreeIncomplete?.(tree) ?? false;
  }
  get search(): ReadView["search"] {
    if (this.#index === null) return comeAgain(FILLING_RETRY_SECONDS);
    const inPlace = this.#isSmall ? this.#view.search : comeAgain(BEHIND_RETRY_SECONDS);
    return createIndexedSearch(this.#index, this.#view.terms, inPlace);
  }
  cancel(): void {
    this.#view.cancel?.();
  }
  close(): void {
    this.#view.close();
  }
}
