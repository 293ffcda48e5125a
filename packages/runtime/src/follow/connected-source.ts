import type {
  ChainEvent,
  Coverage,
  FillEvent,
  IndexStore,
  LiveStatus,
  Watermark,
  SlotRate,
} from "@lamplight/core";
import type { ChainFollower, ChainGap, ForkOverlay } from "@lamplight/indexer";
import type { StoreProblem } from "../store/when-store-available.ts";
import type { FollowTimes, NewestSlots } from "./follow-clocks.ts";
import type { SampleName } from "./sample-help.ts";

/** One value of a metric, named without the prefix `lamplight_follow_`. */
export type Sample = readonly [
  name: SampleName,
  type: "gauge" | "counter",
  value: number,
  labels?: Readonly<Record<string, string>>,
];

/** A complete store with its overlay and the follower that derives its slots. */
export interface LiveChain {
  readonly overlay: ForkOverlay;
  readonly follower: ChainFollower;
}

/** The inputs of status and metrics. */
export interface FollowStates {
  /** Null until the store is filled. */
  readonly live: LiveChain | null;
  readonly times: FollowTimes;
  /** The reason why the store rejects writes; null = it does not. */
  readonly storeProblem: StoreProblem | null;
}

/** The store to follow into, as the source finds it at the start. */
export interface FollowedStore {
  readonly store: IndexStore;
  readonly coverage: Coverage;
  /** Null = it is empty. */
  readonly watermark: Watermark | null;
  /** Null until it contains everything that is followed. */
  readonly live: () => LiveChain | null;
  readonly signal: AbortSignal;
  /** Slots a second of the chain, measured while it is followed. */
  readonly rate: SlotRate;
}

/** A source whose settings fit the store, before it connects. */
export interface FittingSource {
  /** Whether the store contains everything that is followed. If not, the source fills it first. */
  readonly isFilled: boolean;
  /** Whether the close of an unknown account is ignored. */
  readonly ignoreUnknownClosings: boolean;
  /** Called once. If the store is complete, its `live` is passed. */
  connect(): Promise<ConnectedSource>;
}

/** A kind of source, with everything in which kinds differ. */
export interface ConnectedSource {
  /** Seconds without a new slot after which the process is not ready; null = the default. */
  readonly maxStaleSeconds: number | null;
  events(): AsyncIterable<FillEvent | ChainEvent>;
  newestSlots(live: LiveChain | null): NewestSlots;
  status(states: FollowStates): LiveStatus;
  samples(states: FollowStates): readonly Sample[];
  /** A line of text. */
  progress(states: FollowStates): string;
  /** Called when the store has been filled, before it is opened. May be called twice. */
  noteFilled(watermark: Watermark): Promise<void>;
  /** Called after each processed event. May be called twice. */
  noteTaken(event: ChainEvent): Promise<void>;
  noteGap(gap: ChainGap): void;
  /** Called once the signal is aborted. Resolves when nothing of it uses the store any more. */
  close(): void | Promise<void>;
}
