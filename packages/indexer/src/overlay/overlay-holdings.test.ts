// Holdings of a wallet above the finalized slot, page by page: as a list of all accounts gives them.

import {
  type Account,
  baseTokenAccount,
  type Holding,
  type HoldingQuery,
  reads,
  type ReadView,
} from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { expect, test } from "vitest";
import { closedAt, key, mint, tokenAccount } from "../../test/encode-accounts.ts";
import { openTestStore } from "../../test/open-test-store.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "./fork-overlay.ts";

const FINALIZED = 5;
const LAST_SLOT = 15;
const wallets = [key(1), key(2)];
const mints = [key(3), key(4), key(5)];
const [mintA, mintB, mintC] = mints as [Uint8Array, Uint8Array, Uint8Array];

interface Held {
  readonly owner: Uint8Array;
  readonly mint: Uint8Array;
  readonly amount: bigint;
}

/** Token accounts by their number; null = closed. */
type Model = ReadonlyMap<number, Held | null>;

const addressOf = (index: number): Uint8Array => key(100 + index);

const expected = (model: Model, query: HoldingQuery): object[] =>
  query.mints.flatMap((asked) =>
    [...model]
      .filter(([, held]) => held !== null && held.owner === query.tokenOwner && held.mint === asked)
      .toSorted(([a], [b]) => a - b)
      .filter(([index]) => query.after === undefined || Buffer.compare(addressOf(index), query.after) > 0)
      .slice(0, query.limit)
      .map(([index, held]) => ({
        tokenAccount: addressOf(index),
        tokenOwner: held!.owner,
        mint: held!.mint,
        positive: held!.amount > 0n,
      })),
  );

const writeRandomly = (random: Random, slot: number, model: Map<number, Held | null>): Account[] => {
  const written = new Map<number, Account>();
  for (let count = random.between(1, 8); count > 0; count -= 1) {
    const index = random.below(20);
    const held: Held = {
      owner: wallets[random.below(2)]!,
      mint: mints[random.below(3)]!,
      amount: BigInt(random.below(3)),
    };
    const account = tokenAccount(addressOf(index), slot, held);
    const isClosed = random.percent(25);
    model.set(index, isClosed ? null : held);
    written.set(index, isClosed ? closedAt(account, slot) : account);
  }
  return [...written.values()];
};

const expectLists = async (view: ReadView, model: Model): Promise<void> => {
  for (const tokenOwner of wallets)
    for (const asked of [mints, [mintC, mintA], [mintB]])
      for (const limit of [undefined, 1, 2, 5])
        for (const after of [undefined, addressOf(4), addressOf(11), addressOf(19)]) {
          const query = {
            tokenOwner,
            mints: asked,
            ...(limit === undefined ? {} : { limit }),
            ...(after === undefined ? {} : { after }),
          };
          expect(await view.read(reads.holdings(query))).toEqual(expected(model, query));
        }
  for (const tokenOwner of wallets) await expectWallet(view, model, tokenOwner);
};

/** All token accounts of a wallet, and each page of them. */
const expectWallet = async (view: ReadView, model: Model, tokenOwner: Uint8Array): Promise<void> => {
  const all = expected(model, { tokenOwner, mints: mints.toSorted(Buffer.compare) }) as Holding[];
  for (let from = 0; from <= all.length; from += 1)
    for (const limit of [1, 2, 5, 100]) {
      const query = { tokenOwner, limit, ...(from === 0 ? {} : { after: all[from - 1]! }) };
      expect(await view.read(reads.walletHoldings(query))).toEqual(all.slice(from, from + limit));
    }
  await expectHeld(view, tokenOwner, null, all);
  for (const of of mints) {
    const held = all.filter((holding) => Buffer.compare(holding.mint, of) === 0);
    await expectHeld(view, tokenOwner, of, held);
  }
};

const expectHeld = async (
  view: ReadView,
  tokenOwner: Uint8Array,
  of: Uint8Array | null,
  held: readonly Holding[],
): Promise<void> => {
  for (const showsEmpty of [false, true])
    for (const limit of [held.length, held.length - 1]) {
      const answer = await view.read(reads.heldAccounts({ tokenOwner, mint: of, showsEmpty, limit }));
      const shown = held.filter(({ positive }) => showsEmpty || positive).map((one) => one.tokenAccount);
      if (limit < held.length) expect(answer).toBeNull();
      else {
        expect(answer!.map(({ address }) => address).toSorted(Buffer.compare)).toEqual(
          shown.toSorted(Buffer.compare),
        );
        const accounts = await view.read(reads.accounts(answer!.map(({ address }) => address)));
        expect(answer).toEqual(accounts.map((account) => baseTokenAccount(account!)));
      }
    }
};

test.each([1, 2, 3, 4])("seed %i: every page is that of the list", async (seed) => {
  const random = new Random(seed, 1, 1);
  const under = openTestStore();
  const model = new Map<number, Held | null>();
  const minted = mints.map((address) => mint(address, 1, { supply: 100n, decimals: 6 }));
  await createIndexer(under.store).applyAccounts([...minted, ...writeRandomly(random, FINALIZED, model)], {
    slot: FINALIZED,
    blockhash: null,
  });
  await under.store.writeCoverage({ kind: "whole" });
  const reader = openSqliteReader({ file: under.file });
  const overlay = await ForkOverlay.open({ store: under.store, viewSource: reader });
  for (let slot = FINALIZED + 1; slot <= LAST_SLOT; slot += 1) {
    const accounts = writeRandomly(random, slot, model);
    await overlay.add({ slot, parent: slot - 1, blockhash: null, accounts, transactions: [] });
    if (random.percent(20)) await overlay.finalize(slot);
    const view = await overlay.openView("processed");
    await expectLists(view, model);
    view.close();
  }
  reader.close();
  await under.close();
});
