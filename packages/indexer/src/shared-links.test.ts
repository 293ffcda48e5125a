// Tests that an update of a shared account costs the same with one dependent asset and with many.

import { editionAddress, findProgramAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { addressOf, BubblegumTree } from "@lamplight/devchain";
import { expect, test } from "vitest";
import { account, key, masterEdition, metadata, mint, print } from "../test/encode-accounts.ts";
import { openTestStore } from "../test/open-test-store.ts";
import type { StateStore } from "./engine/state-reader.ts";
import { createIndexer, type Indexer } from "./indexer.ts";

const MANY = 60;
const watermark = { slot: 10, blockhash: null };

/** Rows read and written, by kind. */
type Counts = Record<string, number>;

const counted = (store: StateStore, counts: Counts): StateStore => {
  const count = (name: string, length: number): void => {
    counts[name] = (counts[name] ?? 0) + length;
  };
  return {
    readAccountStates: (addresses) => {
      count("states", addresses.length);
      return store.readAccountStates(addresses);
    },
    readLinks: async (...asked) => {
      const links = await store.readLinks(...asked);
      count("links", links.length);
      return links;
    },
    readLinkPage: async (...asked) => {
      const links = await store.readLinkPage(...asked);
      count("links", links.length);
      return links;
    },
    readLedger: (kind, keys) => {
      count("ledger", keys.length);
      return store.readLedger(kind, keys);
    },
    readSeenSlots: (ids) => {
      count("seen", ids.length);
      return store.readSeenSlots(ids);
    },
    readDerivation: () => store.readDerivation(),
    commit: (changes) => {
      for (const name of ["accounts", "assets", "editions", "ledger"] as const)
        count(`written ${name}`, changes[name].length);
      return store.commit(changes);
    },
  };
};

const costOf = async (
  fill: (indexer: Indexer) => Promise<unknown>,
  update: Account,
): Promise<{ readonly counts: Counts; readonly count: number }> => {
  const { store, close } = openTestStore();
  try {
    await fill(createIndexer(store));
    const counts: Counts = {};
    const { assetsChanged } = await createIndexer(counted(store, counts)).applyAccounts([update], watermark);
    return { counts, count: assetsChanged };
  } finally {
    await close();
  }
};

test("a master edition that changes costs the same with one print and with many", async () => {
  const master = key(1);
  const masterAddress = editionAddress(master, null);
  const withPrints = (prints: number) => (indexer: Indexer) =>
    indexer.applyAccounts(
      [
        mint(master, 1),
        metadata(1, { mint: master }),
        masterEdition(master, 1, BigInt(prints), null),
        ...Array.from({ length: prints }, (_, number) => addressOf(number)).flatMap((address, number) => [
          mint(address, 1),
          metadata(1, { mint: address }),
          print(address, 1, masterAddress, BigInt(number + 1)),
        ]),
      ],
      watermark,
    );
  const update = masterEdition(master, 2, 1000n, null);
  const one = await costOf(withPrints(1), update);
  expect(one.count).toBe(1);
  expect(await costOf(withPrints(MANY), update)).toEqual(one);
});

test("a tree account that changes costs the same with one leaf and with many", async () => {
  const address = addressOf(1);
  const tree = {
    address,
    config: findProgramAddress([address], programAddresses.bubblegum).address,
    depth: 10,
  };
  const withLeaves = (leaves: number) => (indexer: Indexer) => {
    const bubblegum = new BubblegumTree(1, tree);
    const minted = Array.from({ length: leaves }, () => bubblegum.mintV1(key(9)));
    return indexer.applyTransactions([bubblegum.create(), ...minted], watermark);
  };
  const head = Buffer.alloc(200);
  head[0] = 1;
  head.writeUInt32LE(64, 2);
  head.writeUInt32LE(10, 6);
  head.set(tree.config, 10);
  head.writeBigUInt64LE(99n, 56);
  const update = account(address, programAddresses.splAccountCompression, [...head], 20);
  const one = await costOf(withLeaves(1), update);
  expect(one.count).toBe(0);
  expect(one.counts["written ledger"]).toBeGreaterThan(0);
  expect(await costOf(withLeaves(MANY), update)).toEqual(one);
});
