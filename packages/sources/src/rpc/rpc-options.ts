import type { Account, Consensus, Slot, SlotRate, Watermark } from "@lamplight/core";
import type { LamplightError } from "@lamplight/errors";
import type { FollowTargets } from "./follow-plan.ts";

/** The chain that a store is of. */
export interface KnownChain {
  /** Genesis hash, base58 text; null = not known yet. */
  readonly genesisHash: string | null;
  /** Saves the hash before anything else is written. Called once the node's block at the watermark matched. */
  readonly keep: (genesisHash: string) => Promise<void>;
}

/** The followed accounts that a store contains. */
export interface RpcBase {
  /** Null = the store is empty and is filled first. */
  readonly watermark: Watermark | null;
  /**
   * Targets that the store lacks. They are filled first, without touching other rows. From the first finalized slot
   * on, all rows are consistent. Null = nothing is missing.
   */
  readonly lacking: FollowTargets | null;
  /** Whether it covers the whole chain. Programs that a node does not list then stay covered. Default no. */
  readonly isWhole?: boolean;
  /** Its chain; absent = not stored. */
  readonly chain?: KnownChain;
  /** Every account of the store. Read at the start (twice, where programs are found), and after a rollback. */
  readonly readAccounts: () => AsyncIterable<Account>;
  /** The slot from which on transactions of a tree are needed; 0 = all. */
  readonly readTreeSlot: (tree: string) => Promise<Slot>;
}

/** Progress of a filling. */
export interface FillProgress {
  /** Parts done, with the share of the current one; and the total. */
  readonly done: number;
  readonly total: number;
  /** Accounts and transactions stored so far. */
  readonly count: number;
}

export interface RpcOptions {
  /** `http://…` or `https://…`; may carry userinfo and keys. */
  readonly url: string;
  /** `ws://…` or `wss://…`; null = the node is polled. */
  readonly socketUrl: string | null;
  readonly targets: FollowTargets;
  readonly base: RpcBase;
  readonly signal: AbortSignal;
  /** Slots a second of the chain, for bounds that are times; default: never measured. */
  readonly rate?: SlotRate | undefined;
  /** While it returns true, no slot is emitted. */
  readonly isHeld?: () => boolean;
  readonly onProblem?: (error: LamplightError) => void;
  /** Reports progress as text. */
  readonly say?: (line: string) => void;
  /** Called often while the store is filled. */
  readonly onProgress?: (progress: FillProgress) => void;
  /** Milliseconds from one reading of everything to the next, without a WebSocket. */
  readonly pollMs?: number;
  /** Milliseconds from one full rescan to the next, with one. */
  readonly rescanMs?: number;
  /** Whether a node that has never answered is called without end; default: `events` throws `SOURCE__UNREACHABLE`. */
  readonly callsForever?: boolean;
  /** Milliseconds before the first retry, of calls and connections. */
  readonly retryMs?: number;
}

export interface RpcState {
  readonly mode: "connecting" | "filling" | "listening" | "polling";
  /** The consensus of the cluster; null = not known, for example because the node lacks the method. */
  readonly consensus: Consensus | null;
  /** Newest slots the node reported, at processed and finalized. */
  readonly nodeSlot: Slot;
  readonly finalizedSlot: Slot;
  /** Newest confirmed slot of this connection; 0 = none yet, or no subscription. */
  readonly receivedSlot: Slot;
  /** Emitted slots that are not finalized. */
  readonly openSlots: number;
  readonly pendingVersions: number;
  readonly knownAccounts: number;
  readonly connections: number;
  readonly notifications: number;
  readonly calls: number;
  readonly retries: number;
  readonly waitingCalls: number;
  /** Times that slots were rolled back. */
  readonly rollbacks: number;
  /** Times that a slot had a block of which nothing was notified, and everything was read. */
  readonly missedSlots: number;
  readonly checksBlocks: boolean;
  /** Scans that the node does not list, whose known accounts are read by address. */
  readonly refusedScans: number;
  /** By `performance.now()`, as the times below: a clock that is set moves none of them. */
  readonly lastMessageMs: number | null;
  /** Start of the last complete full rescan, and the lowest slot of its answers. */
  readonly rescanStartedMs: number | null;
  readonly rescanSlot: Slot;
  /** If the last full rescan is older than this, closed accounts may be answered for longer than promised. */
  readonly rescanAgeMsMax: number;
}
