/** Lets go of a place; a second call does nothing. */
export type Release = () => void;

interface Host {
  running: number;
  /** When the next request may start. */
  nextMs: number;
  readonly waiting: (() => void)[];
}

/** Keeps every host to so many requests at once and so many per second, first come, first served. */
export class HostLimiter {
  readonly #atOnce: number;
  readonly #spacingMs: number;
  readonly #hosts = new Map<string, Host>();

  constructor(atOnce: number, perSecond: number) {
    this.#atOnce = atOnce;
    this.#spacingMs = 1000 / perSecond;
  }

  /** Waits for a place. Whoever gets one gives it back. */
  async acquire(name: string): Promise<Release> {
    const host = this.#hosts.get(name) ?? { running: 0, nextMs: 0, waiting: [] };
    this.#hosts.set(name, host);
    if (host.running >= this.#atOnce) {
      const { promise, resolve } = Promise.withResolvers<void>();
      host.waiting.push(resolve);
      await promise;
    } else host.running += 1;
    const nowMs = performance.now();
    const delay = host.nextMs - nowMs;
    host.nextMs = Math.max(host.nextMs, nowMs) + this.#spacingMs;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    return this.#releaser(name, host);
  }

  #releaser(name: string, host: Host): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = host.waiting.shift();
      // The place goes from hand to hand, so `running` stays.
      if (next !== undefined) next();
      else {
        host.running -= 1;
        if (host.running === 0) this.#forgetLater(name, host);
      }
    };
  }

  /** A host's spacing must survive its last request, but not for ever: the map is as large as what is in use. */
  #forgetLater(name: string, host: Host): void {
    setTimeout(() => {
      if (host.running === 0) this.#hosts.delete(name);
    }, this.#spacingMs).unref();
  }
}
