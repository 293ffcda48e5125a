import {
  type Asset,
  closedBitsOf,
  type Holding,
  type HoldingQuery,
  type NumberedFacts,
  reads,
} from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { tokenAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { type CreateStore, slotOf, withStore, withView } from "../store-under-test.ts";

const byMintAndAddress = (one: Holding, other: Holding): number =>
  Buffer.compare(one.mint, other.mint) || Buffer.compare(one.tokenAccount, other.tokenAccount);

const rich = assetOf("rich", {
  supply: 2n ** 64n - 1n,
  basisPoints: 65_535,
  delegate: addressOf("delegate"),
  authority: addressOf("authority"),
  creators: [
    { address: addressOf("z"), verified: false, share: 0 },
    { address: addressOf("a"), verified: true, share: 100 },
  ],
  groups: [
    { key: "collection", value: "B", verified: false },
    { key: "collection", value: "A", verified: true },
  ],
  compressed: true,
  compressible: true,
  frozen: true,
  mutable: false,
  name: "İ \u0000 ß",
  jsonUri: "",
  tree: addressOf("tree"),
  leafIndex: 2 ** 32,
  createdSlot: 7,
  updatedSlot: 2 ** 40,
});
const bare = assetOf("bare", {
  assetOwner: null,
  supply: null,
  supplyMint: null,
  ownerModel: "token",
  interface: "FungibleToken",
  royaltyModel: "fanout",
  burnt: true,
});

const factsOf = (asset: Asset, ordinal: number): NumberedFacts => {
  const { document: _document, extras: _extras, ...facts } = asset;
  return { ...facts, ordinal };
};

/** Single bytes and runs of zeros in turn: nothing takes more room when it is coded. */
const sparse = (value: number): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, index) => (index % 3 === 0 ? value : 0));

/** A search index and the unfinalized slots ask this of a view in addition to its criteria. */
export const describeTerms = (create: CreateStore): void => {
  describe("what an index beside the store asks", () => {
    test("facts by id, in the order asked, with every value to the bit, and null for strangers", () =>
      withStore(create, async (under) => {
        const { ordinals } = await under.store.commit(slotOf(1, { assets: [rich, bare] }));
        await withView(under, async ({ terms }) => {
          expect(await terms.readFacts([bare.id, addressOf("stranger"), rich.id, bare.id])).toEqual([
            factsOf(bare, ordinals[1] as number),
            null,
            factsOf(rich, ordinals[0] as number),
            factsOf(bare, ordinals[1] as number),
          ]);
          expect(await terms.readFacts([])).toEqual([]);
        });
      }));

    test("places in the orders, in the order asked", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1, { assets: [rich, bare] }));
        await withView(under, async ({ terms }) => {
          expect(await terms.readPositions([1, 0, 1])).toEqual([
            { ordinal: 1, id: bare.id, createdSlot: 1, updatedSlot: 1 },
            { ordinal: 0, id: rich.id, createdSlot: 7, updatedSlot: 2 ** 40 },
            { ordinal: 1, id: bare.id, createdSlot: 1, updatedSlot: 1 },
          ]);
          expect(await terms.readPositions([])).toEqual([]);
        });
      }));

    test("the number of the next new asset: given once, whatever was removed or put anew", () =>
      withStore(create, async (under) => {
        const next = () => withView(under, ({ terms }) => terms.nextOrdinal);
        await under.store.commit(slotOf(1));
        expect(await next()).toBe(0);
        await under.store.commit(slotOf(2, { assets: [rich, bare] }));
        expect(await next()).toBe(2);
        await under.store.commit(slotOf(3, { assetsRemoved: [bare.id], assets: [rich] }));
        expect(await next()).toBe(2);
        const { ordinals } = await under.store.commit(slotOf(4, { assets: [bare] }));
        expect([ordinals, await next()]).toEqual([[2], 3]);
      }));

    test("holdings of one owner in the mints asked, empty ones too, as the accounts stand", () =>
      withStore(create, async (under) => {
        const [owner, mintA, mintB] = ["owner", "mint a", "mint b"].map(addressOf) as [
          Uint8Array,
          Uint8Array,
          Uint8Array,
        ];
        const token = (name: string, mint: Uint8Array, amount: bigint, slot = 1) =>
          tokenAccountOf(name, { mint, tokenOwner: owner, amount }, { slot });
        await under.store.commit(
          slotOf(1, {
            accounts: [
              token("1", mintA, 5n),
              token("2", mintA, 0n),
              token("3", mintB, 2n ** 64n - 1n),
              token("gone", mintB, 1n),
              tokenAccountOf("other", { mint: mintA, tokenOwner: addressOf("other"), amount: 1n }),
            ].map((account) => writeOf(account)),
          }),
        );
        await under.store.commit(
          slotOf(2, { accounts: [writeOf(tombstoneOf("gone", 2)), writeOf(token("1", mintA, 0n, 2))] }),
        );
        const holding = (name: string, mint: Uint8Array, positive: boolean) => ({
          tokenAccount: addressOf(name),
          tokenOwner: owner,
          mint,
          positive,
        });
        await withView(under, async (view) => {
          const list = (more: Partial<HoldingQuery>) =>
            view.read(
              reads.holdings({ tokenOwner: owner, mints: [mintB, addressOf("none"), mintA], ...more }),
            );
          const held = await list({});
          expect(held[0]).toEqual(holding("3", mintB, true));
          expect(new Set(held.slice(1))).toEqual(
            new Set([holding("1", mintA, false), holding("2", mintA, false)]),
          );
          expect(await list({ tokenOwner: addressOf("nobody") })).toEqual([]);
          expect(await list({ mints: [] })).toEqual([]);
          const [low, high] = [addressOf("1"), addressOf("2")].toSorted(Buffer.compare) as [
            Uint8Array,
            Uint8Array,
          ];
          const pageOf = async (more: Partial<HoldingQuery>) =>
            (await list({ mints: [mintA], ...more })).map(({ tokenAccount }) => tokenAccount);
          expect(await pageOf({ limit: 1 })).toEqual([low]);
          expect(await pageOf({ limit: 1, after: low })).toEqual([high]);
          expect(await pageOf({ after: high })).toEqual([]);
          expect(await list({ limit: 1 })).toHaveLength(2);
          const wallet = await view.read(reads.walletHoldings({ tokenOwner: owner, limit: 9 }));
          expect(wallet).toEqual(held.toSorted(byMintAndAddress));
          const walked: Holding[] = [];
          while (walked.length < wallet.length) {
            const after = walked.length === 0 ? {} : { after: walked.at(-1)! };
            const page = await view.read(reads.walletHoldings({ tokenOwner: owner, limit: 1, ...after }));
            expect(page).toHaveLength(1);
            walked.push(...page);
          }
          expect(walked).toEqual(wallet);
          const last = { tokenOwner: owner, limit: 9, after: wallet.at(-1)! };
          expect(await view.read(reads.walletHoldings(last))).toEqual([]);
        });
      }));

    test("a holding moves with its token account, whatever its bytes look like", () =>
      withStore(create, async (under) => {
        const [mint, first, second] = [sparse(1), sparse(2), sparse(3)];
        const full = addressOf("full");
        const steps = [
          { mint, tokenOwner: first, amount: 2n ** 56n },
          { mint, tokenOwner: second, amount: 1n },
          { mint: full, tokenOwner: second, amount: 0n },
          { mint: full, tokenOwner: full, amount: 2n ** 63n },
        ];
        for (const [index, token] of steps.entries()) {
          const slot = index + 1;
          await under.store.commit(
            slotOf(slot, { accounts: [writeOf(tokenAccountOf("it", token, { slot }))] }),
          );
          await withView(under, async (view) => {
            for (const { tokenOwner } of steps) {
              const held = await view.read(reads.holdings({ tokenOwner, mints: [mint, full] }));
              const isTheirs = Buffer.compare(tokenOwner, token.tokenOwner) === 0;
              const { amount, ...rest } = token;
              expect(held, `slot ${slot}`).toEqual(
                isTheirs ? [{ ...rest, tokenAccount: addressOf("it"), positive: amount > 0n }] : [],
              );
            }
          });
          expect(await under.store.checkIntegrity()).toEqual([]);
        }
      }));

    test("changes in brief, where a store tells them, are those it tells at length", () =>
      withStore(create, async (under) => {
        const many = Array.from({ length: 40 }, (_, index) =>
          assetOf(index, { supply: BigInt(index % 3), creators: index % 2 === 0 ? rich.creators : [] }),
        );
        await under.store.commit(slotOf(1, { assets: [rich, bare, ...many] }));
        await under.store.commit(slotOf(2, { assetsRemoved: [assetOf(4).id], assets: [assetOf(5)] }));
        await withView(under, async ({ terms }) => {
          for (const [after, limit] of [
            [0, 1000],
            [3, 7],
            [43, 5],
          ] as const) {
            const changes = await terms.listChanges(after, limit);
            expect(changes.map(({ changeSeq }) => changeSeq)).toEqual(
              changes.map(({ changeSeq }) => changeSeq).toSorted((a, b) => a - b),
            );
            const brief = await terms.listBriefChanges?.(after, limit);
            if (brief === undefined) continue;
            expect(brief.map(({ ordinal, changeSeq }) => [ordinal, changeSeq])).toEqual(
              changes.map(({ ordinal, changeSeq }) => [ordinal, changeSeq]),
            );
            for (const [index, { facts }] of brief.entries()) {
              const whole = changes[index]?.facts ?? null;
              if (facts === null || whole === null) expect(facts).toBe(whole);
              else expect(facts).toMatchObject({ id: whole.id, closed: closedBitsOf(whole) });
            }
          }
        });
      }));
  });
};
