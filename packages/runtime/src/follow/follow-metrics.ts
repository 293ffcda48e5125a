import type { IndexStore, LoggedStore, NewestSlot } from "@lamplight/core";
import type { ForkOverlay } from "@lamplight/indexer";
import type { Sample } from "./connected-source.ts";
import { familyOf, type MetricFamily, type MetricValue } from "@lamplight/core";
import { type CoverageState, filledShare } from "./coverage-steps.ts";
import type { FollowTimes } from "./follow-clocks.ts";
import { sampleHelp, type SampleName } from "./sample-help.ts";
import type { TreesState } from "./tree-filling.ts";

/** @param live - null while this process stands by */
export const followMetrics = (live: { samples(): readonly Sample[] } | null): readonly MetricFamily[] => [
  familyOf(
    "lamplight_follow_standing_by",
    "gauge",
    "Whether this process waits while another one writes the store",
    live === null ? 1 : 0,
  ),
  ...(live === null ? [] : familiesOf(live.samples())),
];

/** Metrics of a coverage that changes. */
export const coverageSamples = (changes: CoverageState): readonly Sample[] => [
  ["filling_programs", "gauge", changes.filling.length],
  ["filled_ratio", "gauge", filledShare(changes)],
  ["dropping_programs", "gauge", changes.dropping.length],
];

/** Metrics of trees that are being completed. */
export const treeSamples = ({ filling, transactions }: TreesState): readonly Sample[] => [
  ["filling_trees", "gauge", filling],
  ["tree_transactions_total", "counter", transactions],
];

/** Metrics of every kind of source. */
export const overlaySamples = (live: ForkOverlay): readonly Sample[] => {
  const { processedSlot, confirmedSlot, finalizedSlot, ...overlay } = live.state;
  const commits = live.commitStats;
  return [
    ["slot", "gauge", processedSlot, { commitment: "processed" }],
    ["slot", "gauge", confirmedSlot, { commitment: "confirmed" }],
    ["slot", "gauge", finalizedSlot, { commitment: "finalized" }],
    ["rules_version", "gauge", live.rulesVersion],
    ["stalled", "gauge", live.isStalled ? 1 : 0],
    ["unfinalized_slots", "gauge", overlay.unfinalizedSlots],
    ["unfinalized_versions", "gauge", overlay.unfinalizedVersions],
    ["unfinalized_bytes", "gauge", overlay.unfinalizedBytes],
    ["unfinalized_assets", "gauge", overlay.unfinalizedAssets],
    ["unfinalized_asset_bytes", "gauge", overlay.unfinalizedAssetBytes],
    ["forks", "gauge", overlay.forks],
    ["fork_slots_dropped_total", "counter", overlay.droppedSlots],
    ["finalized_commits_total", "counter", commits.commits],
    ["finalized_commit_versions_total", "counter", commits.versions],
    ["finalized_commit_seconds_total", "counter", commits.totalMs / 1000],
    ["finalized_commit_last_seconds", "gauge", commits.lastMs / 1000],
  ];
};

/** None for a store whose server keeps its log. */
export const logSamples = (store: IndexStore): readonly Sample[] => {
  if (!isLogged(store)) return [];
  const { bytes, isMoved, isRefused } = store.logState;
  return [
    ["store_wal_bytes", "gauge", bytes],
    ["store_checkpoint_thread_running", "gauge", isMoved ? 1 : 0],
    ["store_checkpoint_refused", "gauge", isRefused ? 1 : 0],
  ];
};

const isLogged = (store: IndexStore): store is IndexStore & LoggedStore => "logState" in store;

/** @param ms - by `performance.now()`; null = never, which is NaN */
export const secondsSince = (ms: number | null): number =>
  ms === null ? NaN : (performance.now() - ms) / 1000;

/** Whole seconds as text; null = never. */
export const secondsOf = ({ silentSeconds }: NewestSlot): number | null =>
  silentSeconds === null ? null : Math.round(silentSeconds);

/** The number is rounded for a person. */
export const slotsPerSecondOf = ({ slotsPerSecond }: Pick<FollowTimes, "slotsPerSecond">): number =>
  Math.round(slotsPerSecond * 100) / 100;

const familiesOf = (samples: readonly Sample[]): readonly MetricFamily[] => {
  const families = new Map<SampleName, MetricFamily & { readonly values: MetricValue[] }>();
  for (const [name, type, value, labels = {}] of samples) {
    const known = families.get(name);
    if (known !== undefined) known.values.push({ value, labels });
    else {
      const help = sampleHelp[name];
      families.set(name, { name: `lamplight_follow_${name}`, type, help, values: [{ value, labels }] });
    }
  }
  return [...families.values()];
};
