import type { BytesEach } from "./stored-bytes.ts";

/** Counts of all of mainnet, rounded: living accounts, assets, and token accounts with a balance. */
const mainnet = { account: 1.2e9, asset: 1.0e9, holding: 0.9e9 } as const;

/** Disks are filled by half: loads, indexes that are built and backups need room. */
const PROVISIONED = 2;
/** Memory of a process besides its search index, and a share of the store that the system keeps in memory. */
const PROCESS_BYTES = 4e9;
const CACHED_SHARE = 1 / 32;

/** Prices of rented machines in US dollars a month: a round figure of common hosts, to be replaced by your own. */
export interface Prices {
  readonly diskPerTerabyte: number;
  readonly memoryPerGigabyte: number;
}

export const roundPrices: Prices = { diskPerTerabyte: 80, memoryPerGigabyte: 3 };

export interface Machine {
  readonly storedBytes: number;
  readonly diskBytes: number;
  readonly indexBytes: number;
  readonly memoryBytes: number;
  /** US dollars a month. */
  readonly cost: number;
}

/** One machine that holds a share of mainnet (0 to 1) and serves it. */
export const machineFor = (
  each: BytesEach,
  share: number,
  indexBytesEach: number,
  prices: Prices,
): Machine => {
  const storedBytes =
    share * (each.account * mainnet.account + each.asset * mainnet.asset + each.holding * mainnet.holding);
  const indexBytes = share * mainnet.asset * indexBytesEach;
  const diskBytes = PROVISIONED * storedBytes;
  const memoryBytes = PROCESS_BYTES + indexBytes + storedBytes * CACHED_SHARE;
  return {
    storedBytes,
    diskBytes,
    indexBytes,
    memoryBytes,
    cost: (diskBytes / 1e12) * prices.diskPerTerabyte + (memoryBytes / 1e9) * prices.memoryPerGigabyte,
  };
};
