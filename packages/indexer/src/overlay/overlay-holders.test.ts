// Token accounts of a mint above the finalized slot, at the tip of every fork: as a list of all accounts gives them.

import { type Account, byHolderOrder, type Holder, reads, type ReadView, type Slot } from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { expect, test } from "vitest";
import { closedAt, key, mint, tokenAccount } from "../../test/encode-accounts.ts";
import { openTestStore } from "../../test/open-test-store.ts";
import { fillHolders } from "../holders/fill-holders.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "./fork-overlay.ts";

const FINALIZED = 5;
const SLOTS = 24;
const ACCOUNTS = 20;
const mints = [key(3), key(4)];
const limits = [1, 2, 5, 100];

interface Held {
  readonly mint: Uint8Array;
  readonly amount: bigint;
}

/** Token accounts by their number; null = closed. */
type Model = ReadonlyMap<number, Held | null>;

interface State {
  readonly slot: Slot;
  readonly ancestors: readonly Slot[];
  readonly model: Model;
}

const addressOf = (index: number): Uint8Array => key(100 + index);

const holdersIn = (model: Model, of: Uint8Array): Holder[] =>
  [...model].flatMap(([index, held]) =>
    held?.mint === of ? [{ tokenAccount: addressOf(index), amount: held.amount }] : [],
  );

/** The accounts of a slot, and the model behind it. */
const writeRandomly = (random: Random, slot: Slot, before: Model): { accounts: Account[]; model: Model } => {
  const model = new Map(before);
  const written = new Map<number, Account>();
  for (let count = random.between(1, 8); count > 0; count -= 1) {
    const index = random.below(ACCOUNTS);
    const held = { mint: mints[random.below(2)]!, amount: BigInt(random.below(4)) };
    const account = tokenAccount(addressOf(index), slot, { ...held, owner: key(1) });
    const isClosed = random.percent(25);
    model.set(index, isClosed ? null : held);
    written.set(index, isClosed ? closedAt(account, slot) : account);
  }
  return { accounts: [...written.values()], model };
};

const expectHolders = async (view: ReadView, model: Model): Promise<void> => {
  for (const of of mints) {
    const holders = holdersIn(model, of);
    const positive = holders.filter(({ amount }) => amount > 0n).length;
    const count = { positive, empty: holders.length - positive };
    expect(await view.read(reads.holderCount(of))).toEqual(count);
    for (const sort of ["address", "amount"] as const)
      for (const direction of ["asc", "desc"] as const)
        for (const showsEmpty of [false, true]) {
          const list = { mint: of, sort, direction, showsEmpty };
          const sorted = holders.toSorted(byHolderOrder(list));
          for (const [limit, after] of limits.flatMap((one) =>
            [undefined, ...sorted].map((from) => [one, from] as const),
          )) {
            const expected = sorted
              .filter(({ amount }) => showsEmpty || amount > 0n)
              .filter((one) => after === undefined || byHolderOrder(list)(one, after) > 0)
              .slice(0, limit);
            const query = { ...list, limit, ...(after === undefined ? {} : { after }) };
            expect(await view.read(reads.holders(query))).toEqual(expected);
          }
        }
  }
};

test.each([1, 2, 3, 4, 5, 6])(
  "seed %i: every page at the tip of every fork is that of the list",
  async (seed) => {
    const random = new Random(seed, 1, 1);
    const under = openTestStore();
    const first = writeRandomly(random, FINALIZED, new Map());
    const minted = mints.map((address) => mint(address, 1, { supply: 100n, decimals: 6 }));
    await createIndexer(under.store).applyAccounts([...minted, ...first.accounts], {
      slot: FINALIZED,
      blockhash: null,
    });
    await under.store.writeCoverage({ kind: "whole" });
    await fillHolders(under.store, under.store.holders!);
    const reader = openSqliteReader({ file: under.file });
    const overlay = await ForkOverlay.open({ store: under.store, viewSource: reader });
    /** The finalized slot and all that follow it, each with its ancestors. */
    let states: State[] = [{ slot: FINALIZED, ancestors: [], model: first.model }];
    for (let slot = FINALIZED + 1; slot <= FINALIZED + SLOTS; slot += 1) {
      // Two thirds go on with the newest slot; the others begin a fork.
      const parent = random.percent(67) ? states.at(-1)! : states[random.below(states.length)]!;
      const { accounts, model } = writeRandomly(random, slot, parent.model);
      await overlay.add({ slot, parent: parent.slot, blockhash: null, accounts, transactions: [] });
      states.push({ slot, ancestors: [...parent.ancestors, parent.slot], model });
      const view = await overlay.openView("processed");
      await expectHolders(view, states.find((one) => one.slot === view.slot)!.model);
      view.close();
      if (!random.percent(25)) continue;
      await overlay.finalize(slot);
      states = states.filter((one) => one.slot === slot || one.ancestors.includes(slot));
      const stored = await reader.openView("finalized");
      await expectHolders(stored, model);
      stored.close();
      expect(await under.store.checkIntegrity()).toEqual([]);
    }
    reader.close();
    await under.close();
  },
);
