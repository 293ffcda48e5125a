// If a slot has several versions of an account, only the last was ever a state. A store that gets them in parts, in any
// order, ends as one that followed the chain slot by slot.

import { programAddresses } from "@lamplight/codecs";
import { type Account, type GapFilling, isOlderVersion } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  at,
  closedAt,
  coreAsset,
  coreCollection,
  emptiedAt,
  key,
  masterEdition,
  metadata,
  mint,
} from "../test/encode-accounts.ts";
import { indexContent } from "../test/index-content.ts";
import { type TestStore, withTestStore } from "../test/open-test-store.ts";
import { ACCOUNTS_PER_COMMIT_MAX } from "./engine/limits.ts";
import { mergeGap } from "./follow/merge-gap.ts";
import { Stage } from "./follow/stage.ts";
import { createIndexer } from "./indexer.ts";
import { ForkOverlay } from "./overlay/fork-overlay.ts";

const id = key(1);
const [alice, bob] = [key(50), key(51)] as const;
const ROOT = 1;

/** The slot in which an asset was created counts every version ever received, also those that were no state. */
const contentOf = async ({ store }: TestStore): Promise<string> =>
  (await indexContent(store)).replaceAll(/"createdSlot":\d+/gu, "");

/** Slot by slot, with all writes of each. */
const followed = (versions: readonly Account[], isEachGiven: boolean): Promise<string> =>
  withTestStore(async (opened) => {
    await createIndexer(opened.store).applyAccounts([], { slot: ROOT, blockhash: null });
    const reader = openSqliteReader({ file: opened.file });
    try {
      const overlay = await ForkOverlay.open({ store: opened.store, viewSource: reader });
      let parent = ROOT;
      for (const [slot, writes] of [...Map.groupBy(versions, (one) => one.slot)].toSorted(
        ([a], [b]) => a - b,
      )) {
        const accounts = isEachGiven ? writes : lastOf(writes);
        await overlay.add({ slot, parent, blockhash: null, accounts, transactions: [] });
        parent = slot;
      }
      await overlay.finalize(parent);
      return await contentOf(opened);
    } finally {
      reader.close();
    }
  });

const lastOf = (writes: readonly Account[]): readonly Account[] => {
  const last = new Map<string, Account>();
  for (const one of writes) {
    const name = Buffer.from(one.address).toString("hex");
    const known = last.get(name);
    if (known === undefined || isOlderVersion(known, one)) last.set(name, one);
  }
  return [...last.values()];
};

const loaded = (batches: readonly (readonly Account[])[]): Promise<string> =>
  withTestStore(async (opened) => {
    const indexer = createIndexer(opened.store);
    for (const batch of batches) await indexer.applyAccounts(batch, { slot: ROOT, blockhash: null });
    return contentOf(opened);
  });

const written = (one: Account, slot: number, writeVersion: number): Account => ({
  ...at(one, slot),
  writeVersion,
});

describe("an asset that is updated and closed in one slot", () => {
  const [first, update] = [coreAsset(id, 5, alice, key(2)), coreAsset(id, 10, bob, key(2))] as const;
  const versions = [
    written(first, 5, 1),
    written(update, 10, 2),
    written(closedAt(update, 10), 10, 3),
    written(closedAt(update, 20), 20, 9),
  ];

  test("ends as it was in the slot before, however its versions come", async () => {
    const expected = await followed(versions, false);
    expect(expected).toContain(Buffer.from(alice).toString("hex"));
    expect(await followed(versions, true)).toBe(expected);
    expect(await loaded([versions])).toBe(expected);
    const order = fc.shuffledSubarray([...versions, ...versions], { minLength: versions.length * 2 });
    await fc.assert(
      fc.asyncProperty(order, async (all) => {
        expect(await loaded(all.map((one) => [one]))).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });

  test("also where a slot is larger than a commit", async () => {
    const others = Array.from({ length: ACCOUNTS_PER_COMMIT_MAX }, (_, index) => {
      const address = key(9);
      new DataView(address.buffer).setUint32(0, index);
      return mint(address, 10, { decimals: 6 });
    });
    const [life, ...rest] = versions as [Account, ...Account[]];
    const slot = [...rest.slice(0, 1), ...others, ...rest.slice(1, 2)];
    const content = await loaded([[life], slot]);
    expect(content).toBe(await followed([life, ...slot], true));
    expect(content).toContain(Buffer.from(alice).toString("hex"));
  });
});

describe("slots that are joined because one of them is missing", () => {
  test("keep the state of an account in each of them", () =>
    withTestStore(async (opened) => {
      await createIndexer(opened.store).applyAccounts([], { slot: ROOT, blockhash: null });
      const life = written(coreAsset(id, 10, alice, key(2)), 10, 1);
      const stages = [life, written(closedAt(life, 11), 11, 2)].map((one) => {
        const stage = new Stage(one.slot, 0);
        stage.addAccount(one);
        stage.setParent(one.slot - 1);
        return stage;
      });
      const filling: GapFilling = {
        finalizedSlot: ROOT,
        through: 9,
        blockhash: "1",
        accounts: [],
        transactions: [],
        slot: 9,
      };
      const joined = mergeGap(ROOT, filling, stages).updates();
      const reader = openSqliteReader({ file: opened.file });
      try {
        // The stream reports every close: that of an account which it has just created counts too.
        const options = { store: opened.store, viewSource: reader, ignoreUnknownClosings: true };
        const overlay = await ForkOverlay.open(options);
        await overlay.add(joined);
        await overlay.finalize(joined.slot);
      } finally {
        reader.close();
      }
      const [state] = await opened.store.readAccountStates([id]);
      expect(state).toMatchObject({ current: { slot: 11, lamports: 0n }, lastLife: { slot: 10 } });
    }));
});

describe("any versions of accounts, several in a slot", () => {
  const lives = [
    coreAsset(id, 0, alice, key(2)),
    coreCollection(key(2), 0, bob),
    mint(key(3), 0),
    metadata(0, { mint: key(3) }),
    masterEdition(key(3), 0, 0n, null),
  ];
  const fates = [
    (account: Account): Account => account,
    (account: Account): Account => ({ ...account, lamports: account.lamports + 1n }),
    (account: Account): Account => closedAt(account, account.slot),
    (account: Account): Account => emptiedAt(account, account.slot),
    (account: Account): Account => ({
      ...account,
      programOwner: programAddresses.system,
      data: new Uint8Array(0),
    }),
  ];
  const version = fc
    .record({
      life: fc.constantFrom(...lives),
      fate: fc.constantFrom(...fates),
      slot: fc.integer({ min: ROOT + 1, max: ROOT + 4 }),
      writeVersion: fc.nat({ max: 3 }),
    })
    .map(({ life, fate, slot, writeVersion }) => fate(written(life, slot, writeVersion)));
  const history = fc.uniqueArray(version, {
    selector: ({ address, slot, writeVersion }) => `${address[0]} ${slot} ${writeVersion}`,
    minLength: 1,
    maxLength: 40,
    size: "max",
  });
  const arrivals = history.chain((all) =>
    fc.tuple(
      fc.constant(all),
      // Each once: what comes again would mend what was lost.
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(fc.nat({ max: all.length }), { maxLength: 40 }),
    ),
  );

  test("end in any order and any batches as where the chain was followed", async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ([all, order, cuts]) => {
        const ends = [...new Set([...cuts, order.length])].toSorted((a, b) => a - b);
        const batches = ends.map((end, index) => order.slice(ends[index - 1] ?? 0, end));
        const expected = await followed(all, false);
        expect(await loaded(batches)).toBe(expected);
        expect(await loaded([all])).toBe(expected);
        expect(await followed(all, true)).toBe(expected);
      }),
      { numRuns: Number(process.env["LAMPLIGHT_ORDERS"] ?? 10) },
    );
  });
});
