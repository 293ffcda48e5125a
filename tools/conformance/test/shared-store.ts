import type { IndexStore, UnfinalizedReader, UnfinalizedWriter, ViewSource } from "@lamplight/core";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import type { ForksOptions } from "../../../packages/indexer/test/walk-forks.ts";

/** A store whose writer publishes slots that are not finalized to other processes. */
export type SharedStore = IndexStore & UnfinalizedWriter;

/** A reader of such a store. */
export type SharedReader = ViewSource & UnfinalizedReader & { close(): void };

/** Opens it for its one writer, and creates it where it is missing. */
export const openSharedStore = async (url: string): Promise<SharedStore> =>
  (await openStoreForWriting(url, { create: true })) as SharedStore;

export const openSharedReader = async (url: string): Promise<SharedReader> => {
  const reader = await openStoreForReading(url);
  const unfinalized = reader.unfinalized!;
  return {
    openView: (commitment, opening) => reader.openView(commitment, opening),
    readUnfinalizedHead: () => unfinalized.readUnfinalizedHead(),
    readUnfinalized: (known) => unfinalized.readUnfinalized(known),
    readFinalizedData: (address) => unfinalized.readFinalizedData(address),
    close: () => reader.close(),
  };
};

/** Walks random forks in a new store: the writer and another process answer above its finalized slot. */
export const onSharedForks = async (
  url: string,
  seed: number,
  expectOnForks: (options: ForksOptions) => Promise<void>,
): Promise<void> => {
  const store = await openSharedStore(url);
  const reader = await openSharedReader(url);
  try {
    const shared = { writer: store, reader };
    await expectOnForks({ seed, slots: 10, store, openViews: async () => reader, shared });
  } finally {
    reader.close();
    await store.close();
  }
};
