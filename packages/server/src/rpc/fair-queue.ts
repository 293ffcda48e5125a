import type { Holder } from "../shared-bound.ts";

/** Calls that wait to be started. The keys are served in turn, and so are the addresses of each key. */
export class FairQueue<Waiting> {
  /** The key that is served next comes first, and so does the address. */
  readonly #byCaller = new Map<Holder["caller"], Map<string, Waiting[]>>();
  #size = 0;
  /** When the queue was last empty. */
  #emptyAtMs = 0;

  get size(): number {
    return this.#size;
  }

  add({ caller, address }: Holder, waiting: Waiting, nowMs: number): void {
    if (this.#size++ === 0) this.#emptyAtMs = nowMs;
    let byAddress = this.#byCaller.get(caller);
    if (byAddress === undefined) this.#byCaller.set(caller, (byAddress = new Map()));
    const own = byAddress.get(address);
    if (own === undefined) byAddress.set(address, [waiting]);
    else own.push(waiting);
  }

  /** Null when no one waits. */
  take(): Waiting | null {
    const [caller, byAddress] = this.#byCaller.entries().next().value ?? [];
    const [address, own] = byAddress?.entries().next().value ?? [];
    if (caller === undefined || byAddress === undefined || address === undefined || own === undefined)
      return null;
    const waiting = own.shift()!;
    this.#size--;
    moveBack(byAddress, address, own, own.length > 0);
    moveBack(this.#byCaller, caller, byAddress, byAddress.size > 0);
    return waiting;
  }

  /** Milliseconds since the queue was last empty; 0 while it is empty. */
  standingMs(nowMs: number): number {
    return this.#size === 0 ? 0 : nowMs - this.#emptyAtMs;
  }
}

/** Moves an entry behind all others, where it stays. */
const moveBack = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, stays: boolean): void => {
  map.delete(key);
  if (stays) map.set(key, value);
};
