// Token accounts of a mint on random forks, at every commitment, compared with a list of all accounts.

import { decodeTokenAccount } from "@lamplight/codecs";
import {
  type Account,
  type BaseTokenAccount,
  byHolderOrder,
  type Holder,
  reads,
  type ReadView,
  type Slot,
} from "@lamplight/core";
import type { Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { fillHolders } from "../src/holders/fill-holders.ts";
import { closedAt, key, mint, tokenAccount } from "./encode-accounts.ts";
import { type ForksOptions, walkForks } from "./walk-forks.ts";

const ACCOUNTS = 20;
const mints = [key(3), key(4)];

interface Held {
  readonly mint: Uint8Array;
  readonly amount: bigint;
}

/** Token accounts by their number; null = closed. */
type Model = ReadonlyMap<number, Held | null>;

const addressOf = (index: number): Uint8Array => key(100 + index);

const holdersIn = (model: Model, of: Uint8Array): Holder[] =>
  [...model].flatMap(([index, held]) =>
    held?.mint === of ? [{ tokenAccount: addressOf(index), amount: held.amount }] : [],
  );

/** The accounts of a slot, and the model behind it. */
const writeRandomly = (random: Random, slot: Slot, before: Model) => {
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

const holderOf = ({ address, data }: BaseTokenAccount): Holder => ({
  tokenAccount: address,
  amount: decodeTokenAccount(data)!.amount,
});

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
          const shown = sorted.filter(({ amount }) => showsEmpty || amount > 0n);
          expect(await view.read(reads.holders({ ...list, limit: ACCOUNTS }))).toEqual(shown);
          const page = await view.read(reads.holderPage({ ...list, limit: ACCOUNTS }));
          expect(page.count).toEqual(count);
          expect(page.accounts.map(holderOf)).toEqual(shown);
          for (const after of sorted) {
            const rest = shown.filter((one) => byHolderOrder(list)(one, after) > 0);
            expect(await view.read(reads.holders({ ...list, after, limit: 2 }))).toEqual(rest.slice(0, 2));
          }
        }
  }
};

/** After each slot of random forks, every page is as the list has it. */
export const expectHoldersOnForks = (options: ForksOptions): Promise<void> =>
  walkForks(options, {
    nothing: new Map(),
    before: mints.map((address) => mint(address, 1, { supply: 100n, decimals: 6 })),
    write: writeRandomly,
    prepare: (store) => fillHolders(store, store.holders!),
    expectView: expectHolders,
  });
