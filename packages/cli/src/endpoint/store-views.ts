import { contractDocument } from "@lamplight/contract";
import type { CallRequest, ViewSource } from "@lamplight/core";
import { isLamplightError, LamplightError, toRpcError } from "@lamplight/errors";
import { type OpenedReader, openStoreForReading } from "@lamplight/runtime";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import {
  type FurtherContract,
  loadDasContract,
  mainContract,
  type ServedContract,
} from "@lamplight/server/command";
import type { Refusal } from "@lamplight/sources/endpoint";

/** Views of a store for methods that are called without a server. */
export class StoreViews {
  readonly reader: OpenedReader;
  readonly #contract: ServedContract;
  #search: SearchLife | null = null;

  /**
   * @param further - the contract whose methods are called in place of the main one's, as a server has it at its own path
   * @throws LamplightError of the STORE family
   */
  static async open(url: string, [further]: readonly FurtherContract[]): Promise<StoreViews> {
    const main = mainContract(contractDocument);
    const contract = further === "das" ? await loadDasContract(main) : main;
    return new StoreViews(await openStoreForReading(url), contract);
  }

  private constructor(reader: OpenedReader, contract: ServedContract) {
    this.reader = reader;
    this.#contract = contract;
  }

  /** @throws what is no refusal of the method */
  async ask(method: string, params: unknown, request: CallRequest): Promise<TextOutcome> {
    const { methods, findReplacement } = this.#contract;
    try {
      return { ok: true, text: String(await methods.answer(method, params, request)) };
    } catch (error) {
      const hint = isLamplightError(error, "REQUEST__METHOD_NOT_FOUND") ? findReplacement(method) : undefined;
      const refusal =
        hint === undefined ? error : new LamplightError("REQUEST__METHOD_NOT_FOUND", { method, hint });
      const face = isLamplightError(refusal) ? toRpcError(refusal, method) : null;
      if (face === null) throw error;
      const { code, message, data } = face;
      return { ok: false, error: { code, message, data } };
    }
  }

  /** A search needs the index: without it only a small store can answer. */
  async sourceFor(method: string): Promise<ViewSource> {
    const { reader } = this;
    if (!isSearch(method)) return reader;
    this.#search ??= await filledSearch(reader);
    return this.#search.viewSource;
  }

  async close(): Promise<void> {
    await this.#search?.close();
    this.reader.close();
  }
}

/** @throws what keeps the index from being filled: it would be tried again for ever */
const filledSearch = async (reader: OpenedReader): Promise<SearchLife> => {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let life: SearchLife | null = null;
  // A saved index that cannot be read is reported first, and is as good as none.
  const onError = (error: unknown): void => {
    if (life !== null || isLamplightError(error)) failed.reject(error);
  };
  life = await startSearchLife({ viewSource: reader, file: reader.searchFile, onError });
  try {
    await Promise.race([life.filled, failed.promise]);
    return life;
  } catch (error) {
    await life.close();
    throw error;
  }
};

type TextOutcome =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: Refusal };

/** The DAS contract also has searches by one criterion, and a count. */
const isSearch = (method: string): boolean =>
  method === "searchAssets" || method === "getGrouping" || method.startsWith("getAssetsBy");

/** An answer may be incomplete: these lines say that its coverage is partial, or which trees miss leaves. */
export const notesOf = (request: CallRequest): readonly string[] => {
  const trees = request.incompleteTrees();
  return [
    ...(request.isPartial ? ["coverage: partial"] : []),
    ...(trees.length === 0 ? [] : [`incomplete trees: ${trees.join(", ")}`]),
  ];
};
