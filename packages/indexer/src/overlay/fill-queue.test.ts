// A program is added to a store, and dropped again, while a chain with forks moves: page by page, at random times. The
// store ends as one that had the program, or did not have it, from the beginning.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import type { Account, ChainEvent, IndexStore, Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random } from "@lamplight/devchain";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { ChainFollower } from "../follow/chain-follower.ts";
import { createIndexer } from "../indexer.ts";
import { verifyAssets } from "../verify/verify-assets.ts";
import { type FillPage, FillQueue } from "./fill-queue.ts";
import { ForkOverlay } from "./fork-overlay.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? 6);
/** Slots of the chain before the program is added, and while it is. */
const [BEFORE, STEPS] = [15, 40];
const PAGE_ACCOUNTS_MAX = 6;
const STREAM = 77;

const { token, tokenMetadata, mplCore } = programAddressTexts;
const signal = new AbortController().signal;

type Covers = (account: Account) => boolean;
const coversOnly =
  (...programs: readonly string[]): Covers =>
  ({ programOwner }) =>
    programs.includes(encodeAddress(programOwner));

interface Followed {
  readonly store: IndexStore;
  readonly overlay: ForkOverlay;
  readonly follower: ChainFollower;
}

const openFollowed = async (file: string, simulation: ChainSimulation, covers: Covers): Promise<Followed> => {
  const store = openSqliteStore({ file, mode: "write" });
  const { accounts, slot, blockhash } = simulation.genesis;
  await createIndexer(store).applyAccounts(accounts.filter(covers), { slot, blockhash });
  const reader = openSqliteReader({ file });
  onTestFinished(async () => {
    reader.close();
    await store.close();
  });
  const overlay = await ForkOverlay.open({
    store,
    viewSource: reader,
    closeFromTransactions: false,
    ignoreUnknownClosings: true,
  });
  return { store, overlay, follower: new ChainFollower({ overlay }) };
};

/** As a server reports them to a client that asks for some programs: of others, it reports what closes. */
const reported = (events: readonly ChainEvent[], covers: Covers): readonly ChainEvent[] =>
  events.filter(
    (event) => event.kind !== "account" || covers(event.account) || event.account.lamports === 0n,
  );

/** Finalized accounts, each with the slot of its last write. */
const finalizedState = (simulation: ChainSimulation): readonly Account[] => {
  const blocks = simulation.pathTo(simulation.finalized)!;
  const newest = [...simulation.genesis.accounts, ...blocks.flatMap(lastWrites)].map(
    (account) => [encodeAddress(account.address), account] as const,
  );
  return [...new Map(newest).values()].filter(({ lamports }) => lamports > 0n);
};

const randomPages = (accounts: readonly Account[], random: Random): readonly (readonly Account[])[] => {
  const rest = [...accounts];
  const pages: Account[][] = [];
  while (rest.length > 0) {
    const page: Account[] = [];
    for (let size = random.between(1, PAGE_ACCOUNTS_MAX); size > 0 && rest.length > 0; size -= 1)
      page.push(...rest.splice(random.below(rest.length), 1));
    pages.push(page);
  }
  return pages;
};

/** Living accounts, and assets that are not burnt: a store that begins later does not know what was closed before. */
const contentOf = async (store: IndexStore): Promise<readonly string[]> => {
  const accounts = (await store.readAccountPage(null, 1000)).map(({ current }) => current);
  const assets = await store.readAssetPage(0, 1000);
  return [
    ...accounts.filter(({ lamports }) => lamports > 0n).map(textOf),
    ...assets
      .filter(({ burnt }) => !burnt)
      .map((asset) => textOf({ ...asset, ordinal: 0, changeSeq: 0, createdSlot: 0 })),
  ].toSorted();
};

const textOf = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    const member = this[name];
    if (member instanceof Uint8Array) return Buffer.from(member).toString("hex");
    return typeof member === "bigint" ? `${member}n` : member;
  });

const addPage = async (
  { overlay }: Followed,
  page: Partial<FillPage>,
  onCommit: () => void = () => {},
): Promise<void> => {
  const empty = { slot: 0, since: 0, accounts: [], forgotten: [], forget: () => null, onCommit };
  await overlay.fill.add({ ...empty, ...page }, signal);
};

test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
  "seed %i: a program is added and dropped between forks",
  async (seed) => {
    onTestFailed(() =>
      console.error(
        `repeat with: LAMPLIGHT_FORK_SEED=${seed} LAMPLIGHT_FORK_SEEDS=1 npx vitest run packages/indexer/src/overlay/fill-queue.test.ts`,
      ),
    );
    const folder = mkdtempSync(join(tmpdir(), "lamplight-fill-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const random = new Random(seed, STREAM, 0);
    const simulation = new ChainSimulation({ seed, isChaotic: true });
    const [narrow, wide] = [coversOnly(token), coversOnly(token, tokenMetadata, mplCore)];
    const changed = await openFollowed(join(folder, "changed.db"), simulation, narrow);
    const withAll = await openFollowed(join(folder, "wide.db"), simulation, wide);
    const without = await openFollowed(join(folder, "narrow.db"), simulation, narrow);
    let since: Slot = Infinity;
    const take = async (events: readonly ChainEvent[]): Promise<void> => {
      const first = since;
      const asked: Covers = (account) => (account.slot >= first ? wide : narrow)(account);
      for (const event of reported(events, asked)) await changed.follower.take(event);
      for (const event of reported(events, wide)) await withAll.follower.take(event);
      for (const event of reported(events, narrow)) await without.follower.take(event);
    };
    const move = async (steps: number, each: () => Promise<void> = async () => {}): Promise<void> => {
      for (let step = 0; step < steps; step += 1) {
        await take(simulation.next());
        await each();
      }
    };
    const settle = (): Promise<void> => take(simulation.settle());

    await move(BEFORE);
    since = (changed.follower.state.sourceSlot ?? 0) + 1;
    changed.overlay.fill.keepsClosings = true;
    while (simulation.finalized < since) await move(1);
    const slot = simulation.finalized;
    const missing = finalizedState(simulation).filter((account) => wide(account) && !narrow(account));
    expect(missing.length).toBeGreaterThan(3);
    const pages = [...randomPages(missing, random)];
    let committed = 0;
    await move(STEPS, async () => {
      const accounts = random.percent(60) ? pages.shift() : undefined;
      if (accounts !== undefined) await addPage(changed, { slot, since, accounts }, () => (committed += 1));
    });
    for (const accounts of pages.splice(0)) {
      await addPage(changed, { slot, since, accounts });
      await move(1);
    }
    await move(STEPS);
    await settle();
    await changed.overlay.fill.drained(signal);
    expect(committed).toBeGreaterThan(0);
    changed.overlay.fill.keepsClosings = false;
    expect(await contentOf(changed.store)).toEqual(await contentOf(withAll.store));
    expect(await verifyAssets(changed.store)).toMatchObject({ differing: 0 });

    since = Infinity;
    await move(5);
    await settle();
    const gone = coversOnly(tokenMetadata, mplCore);
    const states = await changed.store.readAccountPage(null, 1000);
    const forget: FillPage["forget"] = ({ current, lastLife }) => {
      const closed = { ...current, lamports: 0n, data: new Uint8Array(0) };
      if (gone(current)) return { current: closed, lastLife: null };
      return lastLife !== null && gone(lastLife) ? { current, lastLife: null } : null;
    };
    const forgotten = states.filter((state) => forget(state) !== null).map(({ current }) => current.address);
    for (let from = 0; from < forgotten.length; from += PAGE_ACCOUNTS_MAX) {
      const some = forgotten.slice(from, from + PAGE_ACCOUNTS_MAX);
      await addPage(changed, { forgotten: some, forget });
      await move(1);
    }
    await move(STEPS);
    await settle();
    await changed.overlay.fill.drained(signal);
    expect(await contentOf(changed.store)).toEqual(await contentOf(without.store));
    expect(await verifyAssets(changed.store)).toMatchObject({ differing: 0 });
    const left = await changed.store.readAccountPage(null, 1000);
    expect(left.some(({ lastLife }) => lastLife !== null && gone(lastLife))).toBe(false);
    await changed.store.removeTombstones!(forgotten);
    const known = await changed.store.readAccountStates(forgotten);
    expect(known.every((state) => state === null || state.current.lamports > 0n)).toBe(true);
  },
);

test("a page is waited for without those after it", async () => {
  const queue = new FillQueue();
  const came: string[] = [];
  const page = (name: string): FillPage => {
    const onCommit = (): void => void came.push(name);
    return { slot: 0, since: 0, accounts: [], forgotten: [], forget: () => null, onCommit };
  };
  expect(await queue.add(page("a"), signal)).toBe(1);
  queue.noteCommitted(1);
  const last = await queue.add(page("b"), signal);
  await queue.add(page("c"), signal);
  const waits = queue.drained(signal, last).then(() => came.push("b is in the store"));
  queue.noteCommitted(last);
  await waits;
  expect(came).toEqual(["a", "b", "b is in the store"]);
});
