import type { RequestObserver, RequestRecord } from "../observe/request-record.ts";
import { outcomeOf } from "../observe/outcome.ts";

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
  /** HTTP status; 0 = the caller left before the answer. */
  readonly status: number;
  /** Slot of the answer; the newest one of a batch that reads at several commitments. */
  readonly slot?: number;
  readonly ms: number;
  /** Milliseconds of this time that the calls waited before they were answered. */
  readonly waitedMs?: number;
  /** Bytes of the body as sent. */
  readonly bytes: number;
  /** Name of the key. */
  readonly key?: string;
  readonly address?: string;
}

/** Writes a line for all requests, or for some of them. */
export class AccessLog implements RequestObserver {
  readonly #write: (line: AccessLine) => void;
  readonly #random: () => number;
  #settings: AccessLogSettings;

  /** @param random - 0 to 1; decides which requests are sampled */
  constructor(settings: AccessLogSettings, write: (line: AccessLine) => void, random = Math.random) {
    this.#settings = settings;
    this.#write = write;
    this.#random = random;
  }

  /** Takes these settings from now on. */
  use(settings: AccessLogSettings): void {
    this.#settings = settings;
  }

  onEnd(record: RequestRecord): void {
    if (this.#isLogged(record.durationMs)) this.#write(lineOf(record, this.#settings.address));
  }

  #isLogged(durationMs: number): boolean {
    const { mode, rate, slowMs } = this.#settings;
    if (mode === "off") return false;
    return mode === "all" || durationMs >= slowMs || this.#random() < rate;
  }
}

const lineOf = (record: RequestRecord, shows: AccessLogSettings["address"]): AccessLine => {
  const { id, route, method, calls, error, status, durationMs, waitedMs, bytes, caller, views } = record;
  const slot = views?.slots().at(-1);
  const address = shows === "none" ? "" : shows === "short" ? shortAddress(record.address) : record.address;
  return {
    requestId: id,
    route,
    ...(method !== null && { method }),
    ...(calls > 1 && { calls }),
    outcome: status === 0 ? "gone" : outcomeOf(error),
    ...(error !== null && { error }),
    status,
    ...(slot !== undefined && { slot }),
    ms: rounded(durationMs),
    ...(waitedMs > 0 && { waitedMs: rounded(waitedMs) }),
    bytes,
    ...(caller !== null && { key: caller.name }),
    ...(address !== "" && { address }),
  };
};

/** To a hundredth. */
const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** The /24 of an IPv4 address, the /48 of an IPv6 network: who called is no longer one person. */
export const shortAddress = (address: string): string => {
  if (/^\d+\.\d+\.\d+\.\d+$/u.test(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  const groups = address.split("::", 1)[0]!.split(":");
  return address.includes(":") ? `${groups.slice(0, 3).join(":")}::/48` : address;
};
