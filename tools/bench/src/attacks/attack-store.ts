import { keptStore } from "../kept-store.ts";
import { buildHostileStore, type HostileSizes } from "../turns/hostile-store.ts";

/** 400 MB of documents of 2 MB: one document that many assets name. */
const sizes: HostileSizes = {
  delegated: 20_000,
  heldMints: 20_000,
  owned: 20_000,
  prints: 1000,
  large: 200,
  largeBytes: 2_000_000,
  accountBytes: 10 << 20,
};

/** Raise when the store changes. */
const STORE_VERSION = 1;

export const attackStore = (say: (line: string) => void): Promise<string> =>
  keptStore("attacks", STORE_VERSION, (file) => {
    say(`building a store: ${JSON.stringify(sizes)}`);
    return buildHostileStore(file, sizes);
  });
