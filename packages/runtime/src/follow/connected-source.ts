import type { ChainEvent, Coverage, FillEvent, IndexStore, LiveStatus, Watermark } from "@lamplight/core";
import type { ChainFollower, ChainGap, ForkOverlay } from "@lamplight/indexer";
import type { StoreProblem } from "../store/when-store-is-there.ts";
import type { FollowTimes, NewestSlots } from "./follow-clocks.ts";

/** One line of metrics, `lamplight_follow_` before its name. */
export type Sample = readonly [name: string, type: "gauge" | "counter", value: number, labels?: string];

/** A store with everything that is followed: its slots above the finalized one, and who derives them. */
export interface LiveChain {
  readonly overlay: ForkOverlay;
  readonly follower: ChainFollower;
}

/** What status and metrics are made from. */
export interface FollowStates {
  /** Null until the store is filled. */
  readonly live: LiveChain | null;
  readonly times: FollowTimes;
  /** Why the store rejects writes; null = it does not. */
  readonly storeProblem: StoreProblem | null;
}

/** The store that is followed into, as a source finds it at the start. */
export interface FollowedStore {
  readonly store: IndexStore;
  readonly coverage: Coverage;
  /** Null = it is empty. */
  readonly watermark: Watermark | null;
  /** Null until it holds everything that is followed. */
  readonly live: () => LiveChain | null;
  readonly signal: AbortSignal;
}

/** A source whose settings fit the store, before it is connected. */
export interface FittingSource {
  /** Whether the store holds everything that is followed. If not, the source fills it first. */
  readonly isFilled: boolean;
  /** Whether the end of an account that the store never had is ignored. */
  readonly ignoreUnknownClosings: boolean;
  /** Called once; where the store is filled, its `live` is there. */
  connect(): Promise<ConnectedSource>;
}

/** One kind of source, as far as following differs by it. */
export interface ConnectedSource {
  /** Not ready once no new slot arrived for so many seconds; null = the default. */
  readonly maxStaleSeconds: number | null;
  events(): AsyncIterable<FillEvent | ChainEvent>;
  newestSlots(live: LiveChain | null): NewestSlots;
  status(states: FollowStates): LiveStatus;
  samples(states: FollowStates): readonly Sample[];
  /** One line for people. */
  progress(states: FollowStates): string;
  /** The store holds what it lacked; called before it is opened. May be called twice. */
  noteFilled(watermark: Watermark): Promise<void>;
  /** Called after each event of the chain was taken. May be called twice. */
  noteTaken(event: ChainEvent): Promise<void>;
  noteGap(gap: ChainGap): void;
  close(): void;
}
