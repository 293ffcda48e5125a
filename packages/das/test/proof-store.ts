// A store of compressed assets, and the answers of the DAS methods over it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Account,
  type Commitment,
  type Coverage,
  createMethodSettings,
  parseExact,
  RequestViews,
  type Slot,
  type Transaction,
  type ViewSource,
} from "@lamplight/core";
import type { BubblegumTree } from "@lamplight/devchain";
import { createIndexer, fillNodes } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { dasMethods } from "../src/das-methods.ts";

/** The answer of a method, or what it throws. */
export const askOver = async (
  viewSource: ViewSource,
  method: string,
  params: object,
  assetCommitment: Commitment = "finalized",
): Promise<unknown> => {
  const views = new RequestViews(viewSource);
  const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment });
  try {
    const context = { views, profile: "spec", settings, isAlone: true } as const;
    return parseExact(String(await dasMethods.answer(method, params, context)));
  } finally {
    views.close();
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

/** One store in a file of its own. */
export class ProofStore {
  readonly store;
  readonly reader;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    const file = join(folder, "index.db");
    this.store = openSqliteStore({ file, mode: "write" });
    this.reader = openSqliteReader({ file });
  }

  static async open({
    keeps = true,
    coverage = { kind: "whole" },
  }: ProofStoreOptions = {}): Promise<ProofStore> {
    const opened = new ProofStore(mkdtempSync(join(tmpdir(), "lamplight-proofs-")));
    await opened.store.writeCoverage(coverage);
    if (keeps) await opened.fill();
    return opened;
  }

  /** Does the same as `lamplight index add das`. */
  async fill(signal: AbortSignal = new AbortController().signal): Promise<unknown> {
    const { store } = this;
    return fillNodes(
      {
        readTrees: store.readTrees!,
        commit: (changes) => store.commit(changes),
        readLedger: (kind, keys) => store.readLedger(kind, keys),
        readAccountStates: (addresses) => store.readAccountStates(addresses),
      },
      { signal },
    );
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

  async close(): Promise<void> {
    this.reader.close();
    await this.store.close();
    rmSync(this.#folder, { recursive: true });
  }
}
