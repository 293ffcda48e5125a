// A store of compressed assets, and the answers of the DAS methods over it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Account,
  type Commitment,
  type Coverage,
  createMethodSettings,
  type IndexStore,
  parseExact,
  CallRequest,
  type Slot,
  type Transaction,
  type UnfinalizedReader,
  type UnfinalizedWriter,
  type ViewSource,
} from "@lamplight/core";
import type { BubblegumTree } from "@lamplight/devchain";
import {
  beginNodes,
  createIndexer,
  fillNodes,
  listsTrees,
  type NodesReport,
  type NodesStore,
  type SlotWriter,
  verifyNodes,
} from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { dasMethods } from "../src/das-methods.ts";

/** The answer of a method, or what it throws. */
export const askOver = async (
  viewSource: ViewSource,
  method: string,
  params: object,
  options: { readonly assetCommitment?: Commitment; readonly answerBytesMax?: number } = {},
): Promise<unknown> => {
  const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized", ...options });
  const request = new CallRequest({ viewSource, settings, isAlone: true });
  try {
    return parseExact(String(await dasMethods.answer(method, params, request)));
  } finally {
    request.close();
  }
};

/** The account of a tree as a slot writes it. */
export const accountAt = (tree: BubblegumTree, slot: Slot): Account => ({
  ...tree.account(),
  slot,
  writeVersion: tree.seq,
});

export interface ProofStoreOptions {
  /** Whether nodes are kept from the beginning; default true. */
  readonly keeps?: boolean;
  readonly coverage?: Coverage;
}

/** An empty store of some kind, with its reader. */
export interface OpenedPlace {
  readonly store: IndexStore;
  readonly reader: ViewSource;
  /** Other processes read unfinalized slots of the store by these; null where none do. */
  readonly shared: { readonly writer: UnfinalizedWriter; readonly reader: UnfinalizedReader } | null;
  close(): Promise<void>;
}

/** A store in a file of its own. */
export const openFilePlace = async (): Promise<OpenedPlace> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-proofs-"));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  const reader = openSqliteReader({ file });
  return {
    store,
    reader,
    shared: null,
    close: async () => {
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** One store, with what tests do to it. */
export class ProofStore {
  readonly place: OpenedPlace;

  private constructor(place: OpenedPlace) {
    this.place = place;
  }

  get store(): IndexStore {
    return this.place.store;
  }

  get reader(): ViewSource {
    return this.place.reader;
  }

  static async open(
    place: OpenedPlace,
    { keeps = true, coverage = { kind: "whole" } }: ProofStoreOptions = {},
  ): Promise<ProofStore> {
    const opened = new ProofStore(place);
    await opened.store.writeCoverage(coverage);
    if (keeps) await opened.fill();
    return opened;
  }

  /** Does the same as `lamplight index add das`. */
  async fill(signal: AbortSignal = new AbortController().signal): Promise<unknown> {
    await beginNodes(this.#listed);
    return fillNodes(this.#listed, { signal });
  }

  /** Does the same as `lamplight index add das --no-fill`. */
  begin(): Promise<void> {
    return beginNodes(this.#listed);
  }

  /** Fills nodes while another one writes. */
  fillBetweenSlots(slots: SlotWriter): Promise<unknown> {
    return fillNodes(this.#listed, { signal: new AbortController().signal, slots });
  }

  /** Does what `lamplight verify` does with nodes. */
  verifyNodes(): Promise<NodesReport> {
    return verifyNodes(this.#listed);
  }

  /** Names what is wrong with nodes. */
  async verify(): Promise<readonly string[]> {
    return (await this.verifyNodes()).problems;
  }

  get #listed(): IndexStore & NodesStore {
    if (!listsTrees(this.store)) throw new Error("this store keeps no nodes of trees");
    return this.store;
  }

  /** Applies transactions, and the accounts of trees as they are now. */
  async apply(transactions: readonly Transaction[], trees: readonly BubblegumTree[]): Promise<void> {
    const slot = Math.max(...transactions.map((one) => one.slot), ...trees.map((tree) => tree.slot));
    await createIndexer(this.store).apply({
      accounts: trees.map((tree) => accountAt(tree, slot)),
      transactions,
      watermark: { slot, blockhash: null },
    });
  }

  ask(method: string, params: object): Promise<unknown> {
    return askOver(this.reader, method, params);
  }

  close(): Promise<void> {
    return this.place.close();
  }
}
