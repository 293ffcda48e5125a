import { writeEmptyStore } from "../../../packages/store-sqlite/test/empty-store.ts";
import { Lab } from "../src/lab.ts";
import { openLabStores } from "../src/lab-stores.ts";

/** A lab among temporary files. Each of its stores starts as a copy of an empty one. */
export const openCopiedLab = async (): Promise<Lab> => {
  const stores = await openLabStores(null);
  const next = async (): Promise<string> => {
    const url = await stores.next();
    writeEmptyStore(url.slice("sqlite:".length));
    return url;
  };
  return Lab.over({ ...stores, next });
};
