import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { loadSnapshot } from "@lamplight/runtime/snapshot";
import type { Account } from "@lamplight/core";
import { verifyAssets } from "@lamplight/indexer";
import { openStoreForWriting } from "@lamplight/runtime";
import { matchExpected } from "../compare/match-expected.ts";
import type { Members } from "../read-json.ts";
import { accountDifferences, type Archives, columnsOf } from "./ingest-archive.ts";

const PAGE_ACCOUNTS = 1000;

/**
 * Loads the archives as the command does, and compares what the store then holds.
 *
 * @param url - of an empty place
 */
export const storeDifferences = async (
  archives: Archives,
  expected: Members,
  work: string,
  url: string,
): Promise<readonly string[]> => {
  const receipt = await loadSnapshot(
    { ...archives, store: url, workFolder: join(work, "load"), filter: null, verify: "full" },
    { update: () => {}, say: () => {}, end: () => {} },
  );
  const store = await openStoreForWriting(url, { create: false });
  try {
    const accounts = new Map<string, readonly unknown[]>();
    for (let after: Uint8Array | null = null; ;) {
      const page: readonly { readonly current: Account }[] = await store.readAccountPage(
        after,
        PAGE_ACCOUNTS,
      );
      for (const { current } of page) accounts.set(encodeAddress(current.address), columnsOf(current));
      after = page.at(-1)?.current.address ?? null;
      if (after === null) break;
    }
    const watermark = await store.readWatermark();
    const coverage = await store.readCoverage();
    const assets = await verifyAssets(store);
    return [
      ...matchExpected(receipt.slot, expected["slot"], "/slot"),
      ...matchExpected(receipt.capitalization, expected["capitalization"], "/capitalization"),
      ...matchExpected(watermark?.slot, expected["slot"], "/watermark/slot"),
      ...(Object.hasOwn(expected, "lastBlockhash")
        ? matchExpected(watermark?.blockhash, expected["lastBlockhash"], "/watermark/blockhash")
        : []),
      ...(coverage.kind === "whole" ? [] : ["the store does not say that it is whole"]),
      ...(receipt.proved.accountsHash === "proved" ? [] : [`accounts hash: ${receipt.proved.accountsHash}`]),
      ...(await store.checkIntegrity()).map((problem) => `integrity: ${problem}`),
      ...assets.differences.map(({ id }) => `asset ${id} differs from its derivation`),
      ...accountDifferences(accounts, expected["accounts"]),
    ];
  } finally {
    await store.close();
  }
};
