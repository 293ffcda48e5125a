import { decodeMint, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assetEnds } from "../test/asset-ends.ts";
import { applyInputs } from "../test/apply-inputs.ts";
import {
  coreAsset,
  coreCollection,
  inscription,
  key,
  masterEdition,
  metadata,
  mint,
  tokenAccount,
} from "../test/encode-accounts.ts";
import { decided, indexContent } from "../test/index-content.ts";
import { openTestStore } from "../test/open-test-store.ts";
import { hasCases, type Input, inputsOf, readCases } from "../test/read-cases.ts";
import { createIndexer } from "./indexer.ts";
import { verifyAssets } from "./verify/verify-assets.ts";

/** Orders tried per case; thousands when asked for. */
const ordersPerCase = Number(process.env["LAMPLIGHT_ORDERS"] ?? 2);
const INPUTS_MAX = 40;

const contentAfter = async (batches: readonly (readonly Input[])[]): Promise<string> => {
  const store = openTestStore();
  try {
    const indexer = createIndexer(store.store);
    for (const batch of batches) await applyInputs(indexer, batch);
    expect(await verifyAssets(store.store)).toMatchObject({ differing: 0, differences: [] });
    expect(await store.verifyRows()).toEqual([]);
    return await indexContent(store.store);
  } finally {
    await store.close();
  }
};

/** Every input at least once, in any order, in batches of any size. */
const arrivals = (inputs: readonly Input[]): fc.Arbitrary<Input[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...inputs], { minLength: inputs.length }),
      fc.array(fc.nat({ max: inputs.length - 1 }), { maxLength: inputs.length }),
      fc.array(fc.nat({ max: inputs.length * 2 }), { maxLength: inputs.length }),
    )
    .map(([once, again, cuts]) => {
      const all = [...once];
      // Repeats go anywhere, before or after the first arrival.
      for (const [place, index] of again.entries())
        all.splice((place * 7) % all.length, 0, inputs[index] as Input);
      const ends = [...new Set([...cuts, all.length])].toSorted((a, b) => a - b);
      return ends.map((end, index) => all.slice(ends[index - 1] ?? 0, end));
    });

const expectSameContent = async (inputs: readonly Input[], runs: number): Promise<void> => {
  const written = await contentAfter(inputs.map((input) => [input]));
  expect(written).not.toBe("");
  await fc.assert(
    fc.asyncProperty(arrivals(inputs), async (batches) => {
      expect(await contentAfter(batches)).toBe(written);
    }),
    { numRuns: runs },
  );
};

const SUPPLY_AT = 36;

const runs = hasCases
  ? readCases().flatMap(({ path, runs: ofCase }) =>
      ofCase.map((run, index) => ({ path, index, inputs: inputsOf(run) })),
    )
  : [];

describe.skipIf(!hasCases)("any order and repetition of a case's inputs", () => {
  test.each(runs.filter(({ inputs }) => inputs.length > 1))("$path, run $index", async ({ inputs }) => {
    await expectSameContent(decided(inputs), ordersPerCase);
  });
});

const closed = (account: Account): Account => ({
  ...account,
  programOwner: programAddresses.system,
  lamports: 0n,
  data: new Uint8Array(0),
});
/** One zero byte under the same program: what Token Metadata and Core leave behind. */
const emptied = (account: Account): Account => ({ ...account, data: Uint8Array.of(0) });
/** Opened again by someone else. */
const taken = (account: Account): Account => ({ ...closed(account), lamports: 1n });
/** A mint whose last unit was burnt; of anything else the same again. */
const burnt = (account: Account): Account => {
  if (decodeMint(account.data) === null) return account;
  return { ...account, data: Uint8Array.from(account.data).fill(0, SUPPLY_AT, SUPPLY_AT + 8) };
};
const fates = [closed, emptied, taken, burnt, (account: Account): Account => account];

/** Further versions of a case's accounts: closed, emptied, taken over and living again, at other slots. */
const histories = (accounts: readonly Account[]): fc.Arbitrary<Input[]> =>
  fc
    .array(
      fc.record({
        which: fc.nat({ max: accounts.length - 1 }),
        fate: fc.constantFrom(...fates),
        slot: fc.nat({ max: 20 }),
        writeVersion: fc.nat({ max: 1 }),
      }),
      { minLength: 1, maxLength: 25 },
    )
    .map((more) =>
      decided([
        ...accounts.map((account) => ({ kind: "account" as const, account: { ...account, slot: 10 } })),
        ...more.map(({ which, fate, slot, writeVersion }) => ({
          kind: "account" as const,
          account: { ...fate(accounts[which] as Account), slot, writeVersion },
        })),
      ]),
    );

const expectSameHistories = async (accounts: readonly Account[], numRuns: number): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(
      histories(accounts).chain((all) => fc.tuple(fc.constant(all), arrivals(all))),
      async ([all, batches]) => {
        expect(await contentAfter(batches)).toBe(await contentAfter([all]));
      },
    ),
    { numRuns },
  );
};

const withAccountsOnly = runs.filter(
  ({ inputs, index }) =>
    index === 0 &&
    inputs.length > 2 &&
    inputs.length <= INPUTS_MAX &&
    inputs.every(({ kind }) => kind === "account"),
);

describe.skipIf(!hasCases)("any order of accounts that close, empty, change hands and live again", () => {
  test.each(withAccountsOnly)("$path", async ({ inputs }) => {
    await expectSameHistories(
      inputs.flatMap((input) => (input.kind === "account" ? [input.account] : [])),
      ordersPerCase,
    );
  });
});

describe("any order of an asset's lives and ends", () => {
  test.each(assetEnds)("$what", async ({ life, end }) => {
    const accounts = [...(life.accounts ?? []), ...(end.accounts ?? [])].filter(
      ({ lamports }) => lamports > 0n,
    );
    if (accounts.length > 0) await expectSameHistories(accounts, ordersPerCase * 2);
  });
});

describe("created and updated", () => {
  const [nft, family, core, coreFamily, alice] = [key(1), key(2), key(3), key(4), key(5)] as const;
  /** Accounts by what a version of them moves. `created`: also a stale version lowers it. */
  const parts: readonly {
    readonly account: Account;
    readonly created: Uint8Array | null;
    readonly updated: Uint8Array | null;
  }[] = [
    { account: mint(nft, 0), created: nft, updated: nft },
    {
      account: metadata(0, { mint: nft, collection: { verified: true, address: family } }),
      created: nft,
      updated: nft,
    },
    { account: masterEdition(nft, 0, 0n, null), created: nft, updated: nft },
    { account: inscription(nft, 0), created: nft, updated: nft },
    { account: tokenAccount(key(6), 0, { mint: nft, owner: alice }), created: null, updated: nft },
    { account: mint(family, 0), created: family, updated: family },
    { account: metadata(0, { mint: family, name: "Family" }), created: family, updated: family },
    { account: coreAsset(core, 0, alice, coreFamily), created: core, updated: core },
    { account: coreCollection(coreFamily, 0, alice), created: coreFamily, updated: coreFamily },
  ];
  const versions = fc.tuple(
    ...parts.map(() => fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })),
  );
  const inputsAt = (slots: readonly (readonly number[])[]): Input[] =>
    decided(
      parts.flatMap(({ account }, index) =>
        slots[index]!.map((slot) => ({ kind: "account" as const, account: { ...account, slot } })),
      ),
    );
  const expectedOf = (id: Uint8Array, slots: readonly (readonly number[])[]) => ({
    createdSlot: Math.min(...parts.flatMap(({ created }, index) => (created === id ? slots[index]! : []))),
    updatedSlot: Math.max(...parts.flatMap(({ updated }, index) => (updated === id ? slots[index]! : []))),
  });

  test("count the asset's own records, in any order, and none of its collection", async () => {
    await fc.assert(
      fc.asyncProperty(
        versions.chain((slots) => fc.tuple(fc.constant(slots), arrivals(inputsAt(slots)))),
        async ([slots, batches]) => {
          const store = openTestStore();
          try {
            const indexer = createIndexer(store.store);
            for (const batch of batches) await applyInputs(indexer, batch);
            const assets = await store.store.readAssetPage(0, 10);
            expect(assets).toHaveLength(4);
            for (const { id, createdSlot, updatedSlot } of assets) {
              const asset = [nft, family, core, coreFamily].find((one) => Buffer.compare(one, id) === 0)!;
              expect({ createdSlot, updatedSlot }).toEqual(expectedOf(asset, slots));
            }
          } finally {
            await store.close();
          }
        },
      ),
      { numRuns: ordersPerCase * 10 },
    );
  });
});
