import type { Log } from "./log.ts";

/** The events that a stranger can make happen often: counted each time, logged once a minute. */
const messages = {
  wrongKeys: "wrong API key",
  slowedKeys: "wrong API keys: further keys of this address are refused with 429",
  refusedKeys: "API key refused: it is disabled, has expired, or was replaced",
  hostsRefused: "request for a host name that is not allowed; see allowedHosts",
  addressFull: "connection refused: this address has limits.connectionsPerAddress",
  connectionsFull: "connection refused: limits.connections are open",
  refusedRequests: "connection refused further requests: limits.waitingRequests are waiting",
  overOwed: "call refused: limits.owedBytes of answers have not been read",
  overBodies: "call refused: too many bytes of request bodies (limits.owedBytes) are being received",
  overloaded: "calls refused: they arrive faster than they can be answered",
  slowReaders: "connection closed: its answer was not read in time",
  idleConnections: "connection closed: no request came in time",
  descriptors: "no file descriptor is left; raise the limit (ulimit -n) or lower limits.connections",
} as const;

export type ServerEvent = keyof typeof messages;

export const eventNames = Object.keys(messages) as readonly ServerEvent[];

/** The counts since the start. */
export type ServerCounts = Readonly<Record<ServerEvent, number>>;

const LOG_EVERY_MS = 60_000;

/** Counts events and logs the first of a kind, then one line a minute with the number since. */
export class ServerEvents {
  readonly #log: Log;
  readonly #counts = Object.fromEntries(eventNames.map((event) => [event, 0])) as Record<ServerEvent, number>;
  readonly #logged = new Map<ServerEvent, { readonly atMs: number; readonly count: number }>();

  constructor(log: Log) {
    this.#log = log;
  }

  get counts(): ServerCounts {
    return { ...this.#counts };
  }

  /** @param fields - never a key, a path or a header */
  note(event: ServerEvent, fields: object): void {
    const count = ++this.#counts[event];
    const last = this.#logged.get(event);
    const nowMs = performance.now();
    if (last !== undefined && nowMs - last.atMs < LOG_EVERY_MS) return;
    this.#logged.set(event, { atMs: nowMs, count });
    this.#log.warn({ event, times: count - (last?.count ?? 0), ...fields }, messages[event]);
  }
}
