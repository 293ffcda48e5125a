import type { Account, Slot, Watermark } from "@lamplight/core";
import type { LamplightError } from "@lamplight/errors";
import type { FollowTargets } from "./follow-plan.ts";

/** Which chain a store is of. */
export interface KnownChain {
  /** Genesis hash, base58 text; null = not known yet. */
  readonly genesisHash: string | null;
  /** Keeps the hash, before anything else is written. Called once the node's block at the watermark matched. */
  readonly keep: (genesisHash: string) => Promise<void>;
}

/** What a store holds of what is followed. */
export interface RpcBase {
  /** Null = nothing yet: it is filled first. */
  readonly watermark: Watermark | null;
  /**
   * What of the targets it does not hold: filled first, too, without touching what it holds as of its watermark. All of
   * it is held as of one slot from the first final slot on. Null = nothing is lacking.
   */
  readonly lacking: FollowTargets | null;
  /** Whether it covers the whole chain: what a node does not list of that stays covered. Default no. */
  readonly isWhole?: boolean;
  /** Which chain it is of; absent = not kept. */
  readonly chain?: KnownChain;
  /** Every account it holds; read at the start (twice, where programs are found), and when slots are rolled back. */
  readonly readAccounts: () => AsyncIterable<Account>;
  /** From which slot on transactions of a tree are needed; 0 = all. */
  readonly readTreeSlot: (tree: string) => Promise<Slot>;
}

/** How far a filling is. */
export interface FillProgress {
  /** Parts, with the share of the one under way; of all there are. */
  readonly done: number;
  readonly total: number;
  /** Accounts and transactions stored so far. */
  readonly count: number;
}

export interface RpcOptions {
  /** `http://…` or `https://…`; may carry userinfo and keys. */
  readonly url: string;
  /** `ws://…` or `wss://…`; null = the node is only asked, never listened to. */
  readonly socketUrl: string | null;
  readonly targets: FollowTargets;
  readonly base: RpcBase;
  readonly signal: AbortSignal;
  /** While it says so no slot is reported on. */
  readonly isHeld?: () => boolean;
  readonly onProblem?: (error: LamplightError) => void;
  /** What goes on, for people. */
  readonly say?: (line: string) => void;
  /** Often, while what the store lacks is filled. */
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
  /** Newest slots the node reported, at processed and finalized. */
  readonly nodeSlot: Slot;
  readonly finalizedSlot: Slot;
  /** Newest confirmed slot heard of in this connection; 0 = none yet, or none is listened to. */
  readonly heardSlot: Slot;
  /** Reported and not final. */
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
  readonly checksBlocks: boolean;
  /** Sets of accounts that the node does not list, and whose known members are read one by one. */
  readonly refusedScans: number;
  readonly lastMessageMs: number | null;
  /** When the last complete full rescan began, and a slot that no answer of it was older than. */
  readonly rescanStartedMs: number | null;
  readonly rescanSlot: Slot;
  /** If the last full rescan is older than this, closed accounts may be served for longer than promised. */
  readonly rescanAgeMsMax: number;
}
