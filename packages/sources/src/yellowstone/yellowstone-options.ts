import type { Slot, SlotRate } from "@lamplight/core";
import type { LamplightError } from "@lamplight/errors";
import type { AccountsFilter } from "./encode-request.ts";

export interface YellowstoneOptions {
  /** `https://HOST[:PORT]`, or `http://` for a plain connection. */
  readonly url: string;
  /** Sent as `x-token`; null = none. */
  readonly token: string | null;
  readonly accounts: Readonly<Record<string, AccountsFilter>>;
  /** Base58 text of the programs whose transactions are needed. */
  readonly transactionPrograms: readonly string[];
  /** `confirmed` comes grouped and later; `processed` is needed to answer that commitment. */
  readonly commitment: "processed" | "confirmed";
  /** First slot that is not in the store. Each connection requests a replay from it. */
  readonly resumeFrom: () => Slot;
  readonly signal: AbortSignal;
  /** Slots a second of the chain, for bounds that are times; default: never measured. */
  readonly rate?: SlotRate | undefined;
  readonly onProblem?: (error: LamplightError) => void;
  /** Whether a server that has never answered is called without end; default: `events` throws `SOURCE__UNREACHABLE`. */
  readonly callsForever?: boolean;
  /** Milliseconds before the first retry; doubles up to half a minute. */
  readonly retryMs?: number;
  /** Milliseconds before a server is called again that refuses us after it has worked. */
  readonly refusedMs?: number;
  /** Least milliseconds from the beginning of a stream to its renewal. */
  readonly renewMs?: number;
  /** Milliseconds for waiting events when `signal` aborts. The rest is reported again after a restart. */
  readonly drainMs?: number;
  /** Milliseconds without a chain update, not counting pings, after which a stream is restarted. */
  readonly silenceMs?: number;
}

export interface YellowstoneState {
  /** Whether the current stream has reported a chain update. A server that only pings follows no chain. */
  readonly connected: boolean;
  readonly connections: number;
  readonly messages: number;
  readonly queuedEvents: number;
  /** Newest slot that the last stream reported, read or waiting; null before the first. */
  readonly newestSlot: Slot | null;
  /** The server could not replay from the requested slot. Slots are missing until another source has them. */
  readonly replayRefused: boolean;
  /** By `performance.now()`, as the times below: a clock that is set moves none of them. */
  readonly lastMessageMs: number | null;
  /** Time of the last chain update. */
  readonly lastReportedMs: number | null;
}
