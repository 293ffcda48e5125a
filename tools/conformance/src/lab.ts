import {
  type Account,
  callMethod,
  createMethodSettings,
  type IndexStore,
  parseExact,
  type Profile,
  type ViewSource,
  CallRequest,
  type Slot,
  type Transaction,
  type Watermark,
} from "@lamplight/core";
import { isLamplightError, type RpcError, toRpcError } from "@lamplight/errors";
import { createIndexer, type Indexer } from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { type OpenedReader, openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { type LabStores, openLabStores } from "./lab-stores.ts";

/** The outcome of a call. */
export interface Answer {
  /** Finished JSON text; null when the call was refused. */
  readonly text: string | null;
  /** The same, parsed without losing digits. */
  readonly result: unknown;
  readonly error: RpcError | null;
}

/** The `context.apiVersion` of a lab: no case depends on it. */
const apiVersionText = "0.0.0-conformance";

/**
 * A store of its own, with the indexer that writes it and the methods that read it: the whole
 * way of an update and of a request, without HTTP.
 */
export class Lab {
  readonly #stores: LabStores;
  readonly #settings = createMethodSettings({ apiVersion: apiVersionText });
  #store: IndexStore | null = null;
  #indexer: Indexer | null = null;
  #reader: OpenedReader | null = null;
  #search: SearchLife | null = null;
  #url = "";
  #slot: Slot = 0;
  #isEmpty = false;

  private constructor(stores: LabStores) {
    this.#stores = stores;
  }

  /** @param storeUrl - where stores are made, see `openLabStores`; null = among temporary files */
  static async open(storeUrl: string | null): Promise<Lab> {
    return Lab.over(await openLabStores(storeUrl));
  }

  static async over(stores: LabStores): Promise<Lab> {
    const lab = new Lab(stores);
    await lab.reset();
    return lab;
  }

  /**
   * Opens the views that a serving process reads: those of the store, with searches answered from the index in memory.
   */
  async viewSource(): Promise<ViewSource> {
    if (this.#search === null) {
      this.#reader = await openStoreForReading(this.#url);
      this.#search = await startSearchLife({ viewSource: this.#reader, file: null, onError: refuse });
      await this.#search.filled;
    }
    await this.#search.catchUp();
    return this.#search.viewSource;
  }

  /** Takes an empty store, which holds the whole (empty) chain by declaration. One that nothing was written to stays. */
  async reset(): Promise<void> {
    if (this.#isEmpty) return;
    await this.#closeStore();
    this.#isEmpty = true;
    this.#url = await this.#stores.next();
    this.#slot = 0;
    this.#store = await openStoreForWriting(this.#url, { create: true });
    this.#indexer = createIndexer(this.#store);
    await this.#store.writeCoverage({ kind: "whole" });
    await this.#indexer.applyAccounts([], this.#watermark());
  }

  async indexAccounts(accounts: readonly Account[]): Promise<void> {
    this.#isEmpty = false;
    for (const { slot } of accounts) this.#slot = Math.max(this.#slot, slot);
    await this.#indexer?.applyAccounts(accounts, this.#watermark());
  }

  async indexTransactions(transactions: readonly Transaction[]): Promise<void> {
    this.#isEmpty = false;
    for (const { slot } of transactions) this.#slot = Math.max(this.#slot, slot);
    await this.#indexer?.applyTransactions(transactions, this.#watermark());
  }

  async call(method: string, params: unknown, profile: Profile = "spec"): Promise<Answer> {
    const viewSource = await this.viewSource();
    const request = new CallRequest({ viewSource, settings: this.#settings, profile, isAlone: true });
    try {
      const text = await callMethod(method, params, request);
      return { text, result: parseExact(text), error: null };
    } catch (error) {
      const face = isLamplightError(error) ? toRpcError(error, method) : null;
      if (face === null) throw error;
      return { text: null, result: undefined, error: face };
    } finally {
      request.close();
    }
  }

  async close(): Promise<void> {
    await this.#closeStore();
    await this.#stores.close();
  }

  #watermark(): Watermark {
    return { slot: this.#slot, blockhash: null };
  }

  async #closeStore(): Promise<void> {
    await this.#search?.close();
    this.#search = null;
    this.#reader?.close();
    this.#reader = null;
    if (this.#store === null) return;
    await this.#store.close();
    this.#store = null;
    await this.#stores.giveBack?.(this.#url);
  }
}

const refuse = (error: unknown): never => {
  throw error;
};

/** Makes labs where the runner was reported to. */
export type OpenLab = () => Promise<Lab>;

/** Runs `use` over a fresh lab and cleans up behind it. */
export const withLab = async <T>(openLab: OpenLab, use: (lab: Lab) => Promise<T>): Promise<T> => {
  const lab = await openLab();
  try {
    return await use(lab);
  } finally {
    await lab.close();
  }
};
