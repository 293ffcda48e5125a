import type { AccessLine, AccessLogSettings } from "../log/access-settings.ts";
import { outcomeOf } from "./outcome.ts";
import type { RequestObserver, RequestRecord } from "./request-record.ts";

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
  const { id, route, method, calls, error, status, durationMs, waitedMs, bytes, caller, newestSlot } = record;
  const address = shows === "none" ? "" : shows === "short" ? shortAddress(record.address) : record.address;
  return {
    requestId: id,
    route,
    ...(method !== null && { method }),
    ...(calls > 1 && { calls }),
    outcome: status === 0 ? "gone" : outcomeOf(error),
    ...(error !== null && { error }),
    status,
    ...(newestSlot !== null && { slot: newestSlot }),
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
