import type { IndexStore, UnfinalizedReader, UnfinalizedWriter, ViewSource } from "@lamplight/core";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";

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
    close: () => reader.close(),
  };
};
