import { writeFileSync } from "node:fs";
import { encodeAddress } from "@lamplight/codecs";
import type { Asset } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";

/** Requests that both servers have, about living assets that are spread evenly over the store. */
export const writeAssetRequests = async (storeFile: string, file: string, wanted: number): Promise<void> => {
  const store = openSqliteExport(storeFile);
  const step = Math.max(1, Math.floor(store.head.nextOrdinal / wanted));
  const calls: object[] = [];
  try {
    for await (const page of store.pages("assets"))
      for (const asset of page)
        if (asset.ordinal % step === 0 && isAnswered(asset))
          calls.push({ method: "getAsset", params: { id: encodeAddress(asset.id) } });
  } finally {
    await store.close();
  }
  writeFileSync(file, JSON.stringify({ getAsset: calls }));
};

/** das_api answers an error for an asset without supply. */
const isAnswered = ({ burnt, supply, inherits }: Asset): boolean =>
  !burnt && supply !== 0n && inherits === null;
