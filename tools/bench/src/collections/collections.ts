import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  type AssetQuery,
  commitments,
  type Criterion,
  joinAsset,
  type ReadView,
  type Slot,
} from "@lamplight/core";
import { createIndexer, ForkOverlay } from "@lamplight/indexer";
import { startSearchLife } from "@lamplight/search";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { type Bench, type Figure, median, percentile } from "../bench.ts";
import {
  addressOf,
  collectionAccount,
  collectionAddress,
  memberAccount,
  type Terms,
} from "./core-accounts.ts";

/** Fewer on a small machine: the figures are ratios. */
const MEMBERS = Number(process.env["LAMPLIGHT_BENCH_MEMBERS"] ?? 1_000_000);
const SLOTS = Number(process.env["LAMPLIGHT_BENCH_SLOTS"] ?? 1000);
const ACCOUNTS_PER_APPLY = 5_000;
const FIRST_SLOT = 1000;
/** Slots above the finalized one, as on the chain. */
const FINALIZED_BEHIND = 31;
const SAMPLES = 10;
const PAGE = 1000;

/** A large Core collection that changes in every slot, next to one with a single member. */
export const collectionsBench: Bench = {
  name: "collections",
  about: `a Core collection of ${MEMBERS.toLocaleString("en")} members, updated in each of ${SLOTS} slots, beside one of a single member`,
  run: async (say) => {
    const one = await follow(1, say);
    const many = await follow(MEMBERS, say);
    return [
      ...times("1 member", one),
      ...times(`${MEMBERS} members`, many),
      {
        name: "slot derived and committed, many members to one",
        value: (median(many.addMs) + median(many.rootMs)) / (median(one.addMs) + median(one.rootMs)),
        unit: "×",
        budget: { atMost: 2 },
      },
      { name: "assets written per slot", value: Math.max(...many.written), unit: "", budget: { atMost: 1 } },
      { name: "search by inherited authority", value: median(many.searchMs), unit: "ms, median" },
      { name: "memory at the end, to a tenth of the slots", value: many.memoryRatio, unit: "×" },
      {
        name: "searches that differ from the documents",
        value: many.differing,
        unit: "",
        budget: { atMost: 0 },
      },
    ];
  },
};

const times = (name: string, run: Run): readonly Figure[] => [
  { name: `slot derived, ${name}`, value: median(run.addMs), unit: "ms, median" },
  { name: `slot derived, ${name}, p99`, value: percentile(run.addMs, 0.99), unit: "ms" },
  { name: `slot committed, ${name}`, value: median(run.rootMs), unit: "ms, median" },
];

interface Run {
  readonly addMs: readonly number[];
  readonly rootMs: readonly number[];
  readonly searchMs: readonly number[];
  readonly written: readonly number[];
  readonly memoryRatio: number;
  readonly differing: number;
}

/** Values repeat, so that a search for an old one finds nothing, or what a fork of the past had. */
const termsAt = (slot: Slot): Terms => ({
  authority: addressOf(`authority ${slot % 7}`),
  basisPoints: 100 + (slot % 5),
});

const follow = async (members: number, say: (line: string) => void): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-collections-"));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  try {
    say(`${members} members into a store`);
    const indexer = createIndexer(store);
    const watermark = { slot: FIRST_SLOT, blockhash: null };
    await indexer.applyAccounts([collectionAccount(termsAt(FIRST_SLOT), members, FIRST_SLOT)], watermark);
    for (let from = 0; from < members; from += ACCOUNTS_PER_APPLY) {
      const length = Math.min(ACCOUNTS_PER_APPLY, members - from);
      const accounts = Array.from({ length }, (_, index) => memberAccount(from + index, FIRST_SLOT));
      await indexer.applyAccounts(accounts, watermark);
    }
    const reader = openSqliteReader({ file });
    const life = await startSearchLife({ viewSource: reader, file: null });
    await life.filled;
    const written: number[] = [];
    const overlay = await ForkOverlay.open({
      store,
      viewSource: life.viewSource,
      onCommit: ({ assets }) => written.push(assets.length),
    });
    say(`${SLOTS} slots over ${members} members`);
    const run = await followSlots(overlay, members);
    await life.close();
    reader.close();
    return { ...run, written };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

const followSlots = async (overlay: ForkOverlay, members: number): Promise<Omit<Run, "written">> => {
  const [addMs, rootMs, searchMs]: [number[], number[], number[]] = [[], [], []];
  let [differing, early, late] = [0, 0, 0];
  for (let index = 1; index <= SLOTS; index += 1) {
    const slot = FIRST_SLOT + index;
    const accounts = [collectionAccount(termsAt(slot), members, slot)];
    addMs.push(
      await timed(() => overlay.add({ slot, parent: slot - 1, blockhash: null, accounts, transactions: [] })),
    );
    if (index > 1) overlay.confirm(slot - 1);
    if (index > FINALIZED_BEHIND) rootMs.push(await timed(() => overlay.root(slot - FINALIZED_BEHIND)));
    if (index === Math.ceil(SLOTS / 10)) early = process.memoryUsage().rss;
    if (index % Math.ceil(SLOTS / SAMPLES) !== 0) continue;
    for (const commitment of commitments) {
      const view = await overlay.openView(commitment);
      differing += await countDiffering(view, searchMs);
      view.close();
    }
  }
  late = process.memoryUsage().rss;
  return { addMs, rootMs, searchMs, differing, memoryRatio: late / early };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
};

/** Searches whose total, or whose page, is not what the documents of the view show. */
const countDiffering = async (view: ReadView, searchMs: number[]): Promise<number> => {
  const group = {
    kind: "group",
    key: "collection",
    value: encodeAddress(collectionAddress),
    includeUnverified: false,
  } as const;
  const inGroup = await view.search.searchAssets(queryOf([group]));
  const stored = await view.assets.getAssets(inGroup.ordinals);
  const shown = new Map<number, Shown>();
  for (const [index, asset] of stored.entries())
    shown.set(inGroup.ordinals[index]!, JSON.parse((await joinAsset(asset!, view.assets)).document) as Shown);
  let differing = 0;
  for (let which = 0; which < 7; which += 1) {
    const authority = addressOf(`authority ${which}`);
    const expected = inGroup.ordinals.filter((ordinal) => isUnder(shown.get(ordinal)!, authority));
    const startMs = performance.now();
    const page = await view.search.searchAssets(queryOf([group, { kind: "authority", authority }]));
    searchMs.push(performance.now() - startMs);
    // All members have one authority: all of them are found, or none.
    const total = expected.length === 0 ? 0 : inGroup.total;
    const isSame = page.total === total && page.ordinals.join() === expected.join();
    if (!isSame) differing += 1;
  }
  return differing;
};

interface Shown {
  readonly authorities: readonly { readonly address: string }[];
}

const isUnder = ({ authorities }: Shown, authority: AddressBytes): boolean =>
  authorities[0]?.address === encodeAddress(authority);

const queryOf = (criteria: readonly Criterion[]): AssetQuery => ({
  criteria,
  match: "all",
  negate: false,
  sort: "id",
  direction: "desc",
  start: { kind: "page", page: 1 },
  limit: PAGE,
});
