import type { FollowTargets } from "@lamplight/sources/rpc";
import type { ProgressOutput } from "../process/progress.ts";
import type { SnapshotPlace } from "../snapshot/program-messages.ts";
import type { CallerViews } from "../store/open-store.ts";
import type { UnfinalizedRelay } from "../views/unfinalized-relay.ts";

/** The source of a chain. */
export type Upstream =
  | ({ readonly kind: "yellowstone" } & YellowstoneUpstream)
  | ({ readonly kind: "rpc" } & RpcUpstream);

export interface YellowstoneUpstream {
  /** URL of the Yellowstone server. */
  readonly url: string;
  readonly token: string | null;
  readonly commitment: "processed" | "confirmed";
  /** URL of an RPC node that has the slots which the server cannot replay; null = none. */
  readonly repairRpc: string | null;
  /** Archives that have the accounts of programs which are added; absent = the RPC node has them. */
  readonly fillSnapshot?: SnapshotPlace;
}

/** An RPC node, and what is followed from it. */
export interface RpcUpstream {
  readonly url: string;
  /** Null = the node is polled. */
  readonly socketUrl: string | null;
  readonly targets: FollowTargets;
  readonly rescanMs: number | null;
  readonly pollMs: number | null;
}

export interface FollowOptions {
  /** URL of the store. */
  readonly store: string;
  /** Whether this process serves views: then an index in memory answers searches. */
  readonly withSearch: boolean;
  /** Views that callers of this process may use at once. Absent = the default of `openStoreForReading`. */
  readonly views?: CallerViews;
  /**
   * Publishes unfinalized slots to workers of this process. Default: there are none, or the store publishes the
   * slots.
   */
  readonly relay?: UnfinalizedRelay | null;
  /** Seconds without a new slot after which the process is not ready; default: a minute, or three rounds of polling. */
  readonly maxStaleSeconds?: number | null;
  /** Folder for the search index of a store that is no file. */
  readonly searchCache?: string;
  /**
   * Whether to retry without end a server that has never answered, because this process serves or stands by. With a
   * store that was never filled, following ends in any case.
   */
  readonly callsForever: boolean;
  /** Whether assets are derived again after an upgrade that changed rules; default yes. */
  readonly derives?: boolean;
  /** Whether stored assets are compared with their accounts, one a second; default yes. */
  readonly samples?: boolean;
  /** Reports problems. */
  readonly say: (line: string) => void;
  /** Reports progress that is no problem; default: `say`. */
  readonly inform?: (line: string) => void;
  /** The output that reports the progress of a first fill; default: stderr. */
  readonly output?: ProgressOutput;
}
