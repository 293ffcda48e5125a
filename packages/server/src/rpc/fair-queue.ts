import type { Caller } from "../keys.ts";

/** Calls that wait to be started, those of each caller in their order; the callers are served in turn. */
export class FairQueue<Waiting> {
  /** The caller that is served next comes first. */
  readonly #byCaller = new Map<Caller, Waiting[]>();
  #size = 0;
  /** When the queue was last empty. */
  #emptyAtMs = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: Caller, waiting: Waiting, nowMs: number): void {
    if (this.#size++ === 0) this.#emptyAtMs = nowMs;
    const own = this.#byCaller.get(caller);
    if (own === undefined) this.#byCaller.set(caller, [waiting]);
    else own.push(waiting);
  }

  /** Null when no one waits. */
  take(): Waiting | null {
    for (const [caller, own] of this.#byCaller) {
      const waiting = own.shift()!;
      this.#size--;
      this.#byCaller.delete(caller);
      if (own.length > 0) this.#byCaller.set(caller, own);
      return waiting;
    }
    return null;
  }

  /** Milliseconds since the queue was last empty; 0 while it is empty. */
  standingMs(nowMs: number): number {
    return this.#size === 0 ? 0 : nowMs - this.#emptyAtMs;
  }
}
