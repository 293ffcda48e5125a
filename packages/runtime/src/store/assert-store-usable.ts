import { engineOf } from "../engine/engines.ts";
import type { StoreUse } from "../engine/store-engine.ts";
import { openStoreForReading } from "./open-store.ts";

/**
 * Fails where a store cannot be used, before a port is taken or long work begins. A store to be read is opened and
 * closed. If a store is to be written, only the URL and the file are checked: its writer creates or migrates the rest.
 *
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const assertStoreUsable = async (url: string, use: StoreUse): Promise<void> => {
  if (use !== "read") return engineOf(url).assertWritable(url, use);
  const reader = await openStoreForReading(url, { views: { most: 1, workers: 1 } });
  reader.close();
};
