import { setTimeout as sleep } from "node:timers/promises";

/** A concurrent request to a host. */
export interface Place {
  readonly host: string;
  /** Waits until the host may get the next request, which takes less than a second. */
  pace(signal: AbortSignal): Promise<void>;
  /** Frees the place; a second call does nothing. */
  release(): void;
}

interface Host {
  running: number;
  /** Time at which the next request may start. */
  nextMs: number;
}

export interface HostLimits {
  readonly requestsAtOnce: number;
  readonly requestsPerSecond: number;
}

/** Milliseconds of lateness that further requests of a host make up for. */
const CATCH_UP_MS = 1000;

/**
 * Bounds the requests to each host: concurrent ones, and per second. A caller beyond the bound is refused, not
 * queued.
 */
export class HostLimiter {
  readonly #limitsOf: (host: string) => HostLimits;
  readonly #hosts = new Map<string, Host>();

  /** @param limitsOf - of a host name without a dot at its end */
  constructor(limitsOf: (host: string) => HostLimits) {
    this.#limitsOf = limitsOf;
  }

  /** Milliseconds until a request to the host could start; infinite while all its places are taken. */
  delayMs(name: string): number {
    const key = nameOf(name);
    const host = this.#hosts.get(key);
    if (host === undefined) return 0;
    return host.running >= this.#limitsOf(key).requestsAtOnce
      ? Infinity
      : Math.max(0, host.nextMs - performance.now());
  }

  /** Null while all places of the host are taken. */
  take(name: string): Place | null {
    const key = nameOf(name);
    const host = this.#hosts.get(key) ?? { running: 0, nextMs: performance.now() };
    const { requestsAtOnce, requestsPerSecond } = this.#limitsOf(key);
    if (host.running >= requestsAtOnce) return null;
    this.#hosts.set(key, host);
    host.running += 1;
    let isReleased = false;
    return {
      host: name,
      pace: (signal) => pace(host, 1000 / requestsPerSecond, signal),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        host.running -= 1;
        if (host.running === 0) this.#forgetLater(key, host);
      },
    };
  }

  /** A host's spacing must outlive its last request, but not for ever. The map only contains hosts in use. */
  #forgetLater(key: string, host: Host): void {
    setTimeout(
      () => {
        if (host.running === 0 && this.#hosts.get(key) === host) this.#hosts.delete(key);
      },
      Math.max(0, host.nextMs + CATCH_UP_MS - performance.now()),
    ).unref();
  }
}

/**
 * Each request waits at most once at a time, so the longest wait is one spacing per concurrent request. A request that
 * starts late lets the next ones catch up.
 */
const pace = async (host: Host, spacingMs: number, signal: AbortSignal): Promise<void> => {
  const nowMs = performance.now();
  const delay = host.nextMs - nowMs;
  host.nextMs = Math.max(host.nextMs, nowMs - CATCH_UP_MS) + spacingMs;
  if (delay > 0) await sleep(delay, undefined, { signal });
};

const nameOf = (host: string): string => host.replace(/\.+$/, "");
