// Token accounts of a mint on random forks, at every commitment, compared with a list of all accounts.

import { decodeTokenAccount } from "@lamplight/codecs";
import {
  type Account,
  type BaseTokenAccount,
  byHolderOrder,
  commitments,
  type Holder,
  type IndexStore,
  reads,
  type ReadView,
  type Slot,
  type UnfinalizedReader,
  type UnfinalizedWriter,
  type ViewSource,
} from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { fillHolders } from "../src/holders/fill-holders.ts";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import { SharedOverlay } from "../src/overlay/shared-overlay.ts";
import { closedAt, key, mint, tokenAccount } from "./encode-accounts.ts";

const FINALIZED = 5;
const ACCOUNTS = 20;
const mints = [key(3), key(4)];

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

export interface ForksOptions {
  readonly seed: number;
  readonly store: IndexStore;
  /** Slots above the first one. */
  readonly slots: number;
  /** Called once the store can be read. */
  readonly openViews: () => Promise<ViewSource>;
  /** Where the writer publishes its slots, and another process reads them. */
  readonly shared?: { readonly writer: UnfinalizedWriter; readonly reader: UnfinalizedReader };
}

/** A writer follows random forks. After each slot it, and another process, answer every page as the list has it. */
export const expectHoldersOnForks = async ({
  seed,
  slots,
  store,
  openViews,
  shared,
}: ForksOptions): Promise<void> => {
  const random = new Random(seed, 1, 1);
  const first = writeRandomly(random, FINALIZED, new Map());
  const minted = mints.map((address) => mint(address, 1, { supply: 100n, decimals: 6 }));
  await createIndexer(store).applyAccounts([...minted, ...first.accounts], {
    slot: FINALIZED,
    blockhash: null,
  });
  await store.writeCoverage({ kind: "whole" });
  await fillHolders(store, store.holders!);
  const viewSource = await openViews();
  const overlay = await ForkOverlay.open({ store, viewSource, ...(shared && { shared: shared.writer }) });
  const node = shared === undefined ? null : new SharedOverlay({ unfinalized: shared.reader, viewSource });
  /** The finalized slot and all that follow it, each with its ancestors. */
  let states: State[] = [{ slot: FINALIZED, ancestors: [], model: first.model }];
  const expectViews = async (): Promise<void> => {
    await node?.catchUp();
    for (const source of node === null ? [overlay] : [overlay, node])
      for (const commitment of commitments) {
        const view = await source.openView(commitment);
        await expectHolders(view, states.find(({ slot }) => slot === view.slot)!.model);
        view.close();
      }
  };
  for (let slot = FINALIZED + 1; slot <= FINALIZED + slots; slot += 1) {
    // Two thirds go on with the newest slot; the others begin a fork.
    const parent = random.percent(67) ? states.at(-1)! : states[random.below(states.length)]!;
    const { accounts, model } = writeRandomly(random, slot, parent.model);
    await overlay.add({ slot, parent: parent.slot, blockhash: null, accounts, transactions: [] });
    states.push({ slot, ancestors: [...parent.ancestors, parent.slot], model });
    if (random.percent(40)) await overlay.confirm(slot);
    if (random.percent(25)) {
      await overlay.finalize(slot);
      states = states.filter((one) => one.slot === slot || one.ancestors.includes(slot));
      expect(await store.checkIntegrity()).toEqual([]);
    }
    await expectViews();
  }
};
