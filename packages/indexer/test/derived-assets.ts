// Derives assets from accounts, in a store that is empty before each test.
import { encodeAddress } from "@lamplight/codecs";
import { type Account, type Asset, parseExact, type Slot } from "@lamplight/core";
import { afterEach, beforeEach } from "vitest";
import { createIndexer, type Indexer } from "../src/indexer.ts";
import { openTestStore, type TestStore } from "./open-test-store.ts";

interface DerivedAssets {
  readonly store: TestStore;
  /** Goes on with another store, which is empty. */
  startAgain(): Promise<void>;
  apply(...accounts: readonly Account[]): Promise<unknown>;
  /** Null where there is no such asset. */
  documentOf(id: Uint8Array): Promise<unknown>;
  extrasOf(id: Uint8Array): Promise<unknown>;
  factsOf(id: Uint8Array): Promise<Asset | undefined>;
}

/** @param slot - at which all accounts are applied */
export const derivedAssets = (slot: Slot): DerivedAssets => {
  let opened: TestStore;
  let indexer: Indexer;
  const open = (): void => {
    opened = openTestStore();
    indexer = createIndexer(opened.store);
  };
  beforeEach(open);
  afterEach(() => opened.close());
  return {
    get store() {
      return opened;
    },
    startAgain: async () => {
      await opened.close();
      open();
    },
    apply: (...accounts) => indexer.applyAccounts(accounts, { slot, blockhash: null }),
    documentOf: async (id) => {
      const asset = await opened.findAsset(encodeAddress(id));
      return asset === null ? null : parseExact(asset.document);
    },
    extrasOf: async (id) => {
      const extras = (await opened.findAsset(encodeAddress(id)))?.extras ?? null;
      return extras === null ? null : parseExact(extras);
    },
    factsOf: async (id) =>
      (await opened.store.readAssetPage(0, 100)).find((asset) => Buffer.compare(asset.id, id) === 0),
  };
};
