import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitments, type Slot, SLOTS_PER_SECOND_FIRST } from "@lamplight/core";
import { createIndexer, ForkOverlay } from "@lamplight/indexer";
import { startSearchLife } from "@lamplight/search";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { type Bench, type Figure, median, percentile } from "../bench.ts";
import { compareMembers } from "./compare-members.ts";
import { authorityOf, basisPointsOf, collectionAccount, memberAccount } from "./core-accounts.ts";

/** Fewer on a small machine: the figures are ratios. */
const MEMBERS = Number(process.env["LAMPLIGHT_BENCH_MEMBERS"] ?? 1_000_000);
const SLOTS = Number(process.env["LAMPLIGHT_BENCH_SLOTS"] ?? 1000);
const ACCOUNTS_PER_APPLY = 5_000;
const FIRST_SLOT = 1000;
/** Slots above the finalized one, as on the chain. */
const FINALIZED_BEHIND = 31;
const SAMPLES = 10;
/** Documents compared at a sample; at the last one, all are. */
const SAMPLE_DOCUMENTS = 1000;
const MIB = 2 ** 20;

/** A large Core collection that changes in every slot, in addition to smaller ones. */
export const collectionsBench: Bench = {
  name: "collections",
  about: `a Core collection of ${MEMBERS.toLocaleString("en")} members, updated in each of ${SLOTS} slots, against one of a single member`,
  run: async (say) => {
    const one = await followCollection(1, SLOTS, say);
    const some = await followCollection(1000, SLOTS, say);
    const many = await followCollection(MEMBERS, SLOTS, say);
    return [
      ...times("1 member", one),
      ...times("1,000 members", some),
      ...times(`${MEMBERS.toLocaleString("en")} members`, many),
      {
        name: "processor time of a slot, many members to one",
        value: many.slotMs / one.slotMs,
        unit: "×",
        budget: { atMost: 2 },
      },
      {
        name: "slots of many members a second",
        value: many.slotsPerSecond,
        unit: "slots/s",
        budget: { atLeast: SLOTS_PER_SECOND_FIRST },
      },
      { name: "assets written per slot", value: Math.max(...many.written), unit: "", budget: { atMost: 1 } },
      { name: "search by an inherited fact", value: median(many.searchMs), unit: "ms, median" },
      {
        name: "memory of the last samples to that of the second ones",
        value: many.memoryRatio,
        unit: "×",
        budget: { atMost: 1.2 },
      },
      { name: "documents compared with searches", value: many.documents, unit: "" },
      {
        name: "searches that differ from the documents",
        value: one.differing + some.differing + many.differing,
        unit: "",
        budget: { atMost: 0 },
      },
    ];
  },
};

const times = (name: string, run: Run): readonly Figure[] => [
  { name: `processor time of a slot, ${name}`, value: run.slotMs, unit: "ms, mean" },
  { name: `slot derived, ${name}`, value: median(run.addMs), unit: "ms, median" },
  { name: `slot derived, ${name}, p99`, value: percentile(run.addMs, 0.99), unit: "ms" },
  { name: `slot committed, ${name}`, value: median(run.rootMs), unit: "ms, median" },
];

interface Run {
  readonly addMs: readonly number[];
  readonly rootMs: readonly number[];
  /** Processor time of the following thread, derived and committed. */
  readonly slotMs: number;
  readonly slotsPerSecond: number;
  readonly searchMs: readonly number[];
  readonly written: readonly number[];
  readonly memoryRatio: number;
  readonly documents: number;
  readonly differing: number;
}

/** Follows updates of one collection, and compares what is answered. */
export const followCollection = async (
  members: number,
  slots: number,
  say: (line: string) => void,
): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-collections-"));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  try {
    say(`${members} members into a store`);
    await fill(store, members);
    const reader = openSqliteReader({ file });
    const life = await startSearchLife({ viewSource: reader, file: null });
    await life.filled;
    const written: number[] = [];
    const overlay = await ForkOverlay.open({
      store,
      viewSource: life.viewSource,
      onCommit: ({ assets }) => written.push(assets.length),
    });
    say(`${slots} slots over ${members} members`);
    const run = await followSlots(overlay, members, slots, say);
    await life.close();
    reader.close();
    return { ...run, written };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

const fill = async (store: Parameters<typeof createIndexer>[0], members: number): Promise<void> => {
  const indexer = createIndexer(store);
  const watermark = { slot: FIRST_SLOT, blockhash: null };
  await indexer.applyAccounts([collectionAt(FIRST_SLOT, members)], watermark);
  for (let from = 0; from < members; from += ACCOUNTS_PER_APPLY) {
    const length = Math.min(ACCOUNTS_PER_APPLY, members - from);
    const accounts = Array.from({ length }, (_, index) => memberAccount(from + index, FIRST_SLOT));
    await indexer.applyAccounts(accounts, watermark);
  }
};

const collectionAt = (slot: Slot, members: number): ReturnType<typeof collectionAccount> =>
  collectionAccount({ authority: authorityOf(slot), basisPoints: basisPointsOf(slot) }, members, slot);

const followSlots = async (
  overlay: ForkOverlay,
  members: number,
  slots: number,
  say: (line: string) => void,
): Promise<Omit<Run, "written">> => {
  const [addMs, rootMs, searchMs, rss]: [number[], number[], number[], number[]] = [[], [], [], []];
  let [differing, documents, cpuMs] = [0, 0, 0];
  for (let index = 1; index <= slots; index += 1) {
    const slot = FIRST_SLOT + index;
    const accounts = [collectionAt(slot, members)];
    const before = process.threadCpuUsage();
    addMs.push(
      await timed(() => overlay.add({ slot, parent: slot - 1, blockhash: null, accounts, transactions: [] })),
    );
    if (index > 1) overlay.confirm(slot - 1);
    if (index > FINALIZED_BEHIND) rootMs.push(await timed(() => overlay.finalize(slot - FINALIZED_BEHIND)));
    const { user, system } = process.threadCpuUsage(before);
    cpuMs += (user + system) / 1000;
    if (index % Math.ceil(slots / SAMPLES) !== 0) continue;
    rss.push(process.memoryUsage().rss);
    const documentsMax = index === slots ? Infinity : SAMPLE_DOCUMENTS;
    for (const commitment of commitments) {
      const view = await overlay.openView(commitment);
      const compared = await compareMembers(view, documentsMax);
      view.close();
      searchMs.push(...compared.searchMs);
      differing += compared.differing;
      documents += compared.documents;
    }
  }
  say(`memory at each tenth of the slots: ${rss.map((bytes) => Math.round(bytes / MIB)).join(", ")} MiB`);
  const spentMs = [...addMs, ...rootMs].reduce((sum, ms) => sum + ms, 0);
  return {
    addMs,
    rootMs,
    slotMs: cpuMs / slots,
    slotsPerSecond: (slots * 1000) / spentMs,
    searchMs,
    differing,
    documents,
    memoryRatio: Math.max(...rss.slice(-2)) / Math.max(...rss.slice(1, 3)),
  };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
};
