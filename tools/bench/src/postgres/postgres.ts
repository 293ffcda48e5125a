import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { type ChangeSet, type IndexStore, reads } from "@lamplight/core";
import { openPostgresReader, openPostgresStore, type TransactionView } from "@lamplight/store-postgres";
import { type Bench, type Figure, interleavedTimes, median } from "../bench.ts";
import { BareDriver } from "./bare-driver.ts";
import { measureLoad } from "./load-rows.ts";
import {
  delegateOf,
  fillSample,
  sampleAccount,
  sampleAddress,
  sampleAssetOrdinals,
  slotChanges,
} from "./sample.ts";

const READS = 2000;
const PAGES = 300;
const SLOTS = 12;
const SLOT_UPDATES = 5000;

/** The store's statements next to the same ones of the bare driver, over the same rows, in one run. */
export const postgresBench: Bench = {
  name: "postgres",
  about: "store-postgres next to the bare driver's statement, on a server of its own (no fsync)",
  run: async (say) => {
    const server = await startPostgres();
    try {
      return await measure(server, say);
    } finally {
      await server.stop();
    }
  },
};

const measure = async (server: TestPostgres, say: (line: string) => void): Promise<readonly Figure[]> => {
  const store = await openPostgresStore({ url: server.url, mode: "write" });
  const driver = await BareDriver.open(server.url);
  try {
    say("filling");
    const rowsPerSecond = await fillSample(store);
    await driver.prepare();
    const reader = await openPostgresReader({ url: server.url });
    const view = await reader.openView("finalized");
    say("reading");
    const measured = await measureReads(view, driver);
    view.close();
    reader.close();
    say("committing slots");
    const slots = await measureSlots(store, driver);
    say("loading");
    const loads = await measureLoad(server.url, driver);
    return [
      ...measured,
      ...slots,
      ...loads,
      { name: "first load through commits", value: rowsPerSecond, unit: "accounts/s" },
    ];
  } finally {
    await driver.close();
    await store.close();
  }
};

const measureReads = async (view: TransactionView, driver: BareDriver): Promise<readonly Figure[]> => {
  const { tokenProgram, mint } = sampleAccount;
  const pairs: readonly (readonly [string, number, (run: number) => unknown, (run: number) => unknown])[] = [
    [
      "point read",
      READS,
      (run) => view.read(reads.account(sampleAddress(run))),
      (run) => driver.findAccount(sampleAddress(run)),
    ],
    [
      "accounts by delegate and mint",
      READS,
      (run) => view.read(reads.moreDelegated({ delegate: delegateOf(run), tokenProgram, mint })),
      (run) => driver.listByDelegate(delegateOf(run), mint),
    ],
    ...[50, 1000].map(
      (count) =>
        [
          `page of ${count} documents`,
          PAGES,
          (run: number) => view.read(reads.ownAssets(sampleAssetOrdinals(run, count))),
          (run: number) => driver.listDocuments(sampleAssetOrdinals(run, count)),
        ] as const,
    ),
  ];
  const figures: Figure[] = [];
  for (const [name, runs, ours, bare] of pairs) {
    const times = await interleavedTimes(runs, [ours, bare]);
    figures.push(...compare(name, times.map(median) as [number, number]));
  }
  return figures;
};

const measureSlots = async (store: IndexStore, driver: BareDriver): Promise<readonly Figure[]> => {
  // Warm-up included; what is written is made beforehand, since that is not the store's work.
  const slots = Array.from({ length: 4 * SLOTS }, (_, index) => slotChanges(100 + index, SLOT_UPDATES));
  const next = (): ChangeSet => slots.shift() as ChangeSet;
  const times = await interleavedTimes(SLOTS, [() => store.commit(next()), () => driver.commitSlot(next())]);
  const [ours, bare] = times.map(median) as [number, number];
  return [
    ...compare(`slot commit of ${SLOT_UPDATES} updates`, [ours, bare]),
    {
      name: "updates committed",
      value: SLOT_UPDATES / (ours / 1e6),
      unit: "updates/s",
      budget: { atLeast: 12_000 },
    },
  ];
};

const compare = (name: string, [ours, bare]: readonly [number, number]): readonly Figure[] => [
  { name, value: ours, unit: "µs, median" },
  { name: `${name}, to the bare driver's`, value: ours / bare, unit: "×", budget: { atMost: 1.5 } },
];
