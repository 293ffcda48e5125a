import { programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyInputs } from "../test/apply-inputs.ts";
import { decided, indexContent } from "../test/index-content.ts";
import { openTestStore } from "../test/open-test-store.ts";
import { hasCases, type Input, inputsOf, readCases } from "../test/read-cases.ts";
import { createIndexer } from "./indexer.ts";
import { verifyAssets } from "./verify/verify-assets.ts";

/** Orders tried per case; thousands when asked for. */
const ordersPerCase = Number(process.env["LAMPLIGHT_ORDERS"] ?? 2);
const inputsMax = 40;

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
const fates = [closed, emptied, taken, (account: Account): Account => account];

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

const withAccountsOnly = runs.filter(
  ({ inputs, index }) =>
    index === 0 &&
    inputs.length > 2 &&
    inputs.length <= inputsMax &&
    inputs.every(({ kind }) => kind === "account"),
);

describe.skipIf(!hasCases)("any order of accounts that close, empty, change hands and live again", () => {
  test.each(withAccountsOnly)("$path", async ({ inputs }) => {
    const accounts = inputs.flatMap((input) => (input.kind === "account" ? [input.account] : []));
    await fc.assert(
      fc.asyncProperty(
        histories(accounts).chain((all) => fc.tuple(fc.constant(all), arrivals(all))),
        async ([all, batches]) => {
          expect(await contentAfter(batches)).toBe(await contentAfter([all]));
        },
      ),
      { numRuns: ordersPerCase },
    );
  });
});
