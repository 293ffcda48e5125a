import type {
  AnswerTo,
  AssetPage,
  AssetQuery,
  MaybePromise,
  ReadKind,
  ReadOf,
  ReadView,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { searchIndexed } from "../indexed-search.ts";
import type { SearchIndex } from "../search-index.ts";

const FILLING_RETRY_SECONDS = 5;
const BEHIND_RETRY_SECONDS = 1;

/**
 * SQL over a large store would hold up everybody for seconds, where a new view is answered from memory in a moment: the
 * caller is asked to come again.
 */
const comeAgain = (retryAfterSeconds: number): never => {
  throw new LamplightError("STORE__LOADING", { retryAfterSeconds });
};

/** A view of the store with search answered from memory. Every other read is the store's. */
export class SearchedView implements ReadView {
  readonly #view: ReadView;
  readonly #findIndex: () => Promise<SearchIndex | null>;
  readonly #isSmall: boolean;
  #isCancelled = false;

  /**
   * @param findIndex - null while it is being filled, or of another state of the store
   * @param isSmall - SQL may answer where the index cannot
   */
  constructor(view: ReadView, findIndex: () => Promise<SearchIndex | null>, isSmall: boolean) {
    this.#view = view;
    this.#findIndex = findIndex;
    this.#isSmall = isSmall;
  }

  get slot(): ReadView["slot"] {
    return this.#view.slot;
  }

  get terms(): ReadView["terms"] {
    return this.#view.terms;
  }

  get coverage(): ReadView["coverage"] {
    return this.#view.coverage;
  }

  get derivation(): ReadView["derivation"] {
    return this.#view.derivation;
  }

  get incompleteTrees(): ReadView["incompleteTrees"] {
    return this.#view.incompleteTrees;
  }

  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>> {
    if (asked.kind !== "search") return this.#view.read(asked);
    return this.#search((asked as ReadOf<"search">).query) as MaybePromise<AnswerTo<Kind>>;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#view.cancel?.();
  }

  close(): void {
    this.#view.close();
  }

  async #search(query: AssetQuery): Promise<AssetPage> {
    const searchInStore = async (retryAfterSeconds: number): Promise<AssetPage> =>
      this.#isSmall ? this.#view.read({ kind: "search", query }) : comeAgain(retryAfterSeconds);
    const index = await this.#findIndex();
    if (index === null) return searchInStore(FILLING_RETRY_SECONDS);
    const inPlace = (): Promise<AssetPage> => searchInStore(BEHIND_RETRY_SECONDS);
    return searchIndexed(index, { terms: this.terms, inPlace, isCancelled: () => this.#isCancelled }, query);
  }
}
