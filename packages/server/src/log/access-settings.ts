export const accessLogModes = ["off", "sampled", "all"] as const;
export type AccessLogMode = (typeof accessLogModes)[number];

export const accessAddresses = ["none", "short", "full"] as const;

/** Which requests get a line. The settings can change while the server runs. */
export interface AccessLogSettings {
  readonly mode: AccessLogMode;
  /** Share of the requests that get a line where the mode is `sampled`, 0 to 1. Slow ones always get one. */
  readonly rate: number;
  /** Requests that take at least this long are slow, in milliseconds. */
  readonly slowMs: number;
  /** How the caller's address is written: not at all, its network (/24 or /48), or in full. */
  readonly address: (typeof accessAddresses)[number];
}

export const defaultAccessLog: AccessLogSettings = {
  mode: "off",
  rate: 0.01,
  slowMs: 1000,
  address: "none",
};

/** A line for one request. It has no key, no path and nothing of the body. */
export interface AccessLine {
  readonly requestId: string;
  readonly route: string;
  /** Wire name of a single call, `batch`, or `unknown`; absent where no call was read. */
  readonly method?: string;
  /** Calls of a batch. */
  readonly calls?: number;
  readonly outcome: string;
  /** Registry name of the error. */
  readonly error?: string;
  /** HTTP status; 0 = the connection ended before the answer. */
  readonly status: number;
  /** Slot of the answer; the newest one of a batch that reads at several commitments. */
  readonly slot?: number;
  readonly ms: number;
  /** Milliseconds that its calls waited, added up: to be started, and for read views. */
  readonly waitedMs?: number;
  /** Bytes of the body as sent. */
  readonly bytes: number;
  /** Name of the key. */
  readonly key?: string;
  readonly address?: string;
}
