import type { Holder } from "./shared-bound.ts";

/** The same moment on two clocks. */
export interface Moment {
  /** Processor time of this thread. */
  readonly ownMs: number;
  readonly wallMs: number;
}

export interface Queued {
  readonly holder: Holder;
  readonly since: Moment;
}

interface OfKey<Waiting> {
  /** The address that is served next comes first. */
  readonly byAddress: Map<string, Set<Waiting>>;
  size: number;
  /** When the first request began to wait; there has always been one since. */
  readonly since: Moment;
}

/** Requests that wait. The keys are served in turn, and so are the addresses of each key. */
export class FairQueue<Waiting extends Queued> {
  /** The key that is served next comes first. */
  readonly #byKey = new Map<Holder["caller"], OfKey<Waiting>>();
  #size = 0;
  /** When the queue was last empty. */
  #emptyAt: Moment = { ownMs: 0, wallMs: 0 };

  get size(): number {
    return this.#size;
  }

  add(waiting: Waiting): void {
    const { holder, since } = waiting;
    const { caller, address } = holder;
    if (this.#size++ === 0) this.#emptyAt = since;
    let ofKey = this.#byKey.get(caller);
    if (ofKey === undefined) this.#byKey.set(caller, (ofKey = { byAddress: new Map(), size: 0, since }));
    ofKey.size++;
    const own = ofKey.byAddress.get(address);
    if (own === undefined) ofKey.byAddress.set(address, new Set([waiting]));
    else own.add(waiting);
  }

  /**
   * The one that is served next.
   *
   * @param mayServe - the requests of other keys are skipped
   */
  find(mayServe: (caller: Holder["caller"]) => boolean): Waiting | null {
    for (const [caller, { byAddress }] of this.#byKey)
      if (mayServe(caller)) for (const own of byAddress.values()) for (const waiting of own) return waiting;
    return null;
  }

  /** How many wait whose keys may not be served. */
  countKept(mayServe: (caller: Holder["caller"]) => boolean): number {
    let count = 0;
    for (const [caller, { byAddress }] of this.#byKey)
      if (!mayServe(caller)) for (const own of byAddress.values()) count += own.size;
    return count;
  }

  /** The turn of its key and address is over. */
  moveBack({ holder: { caller, address } }: Waiting): void {
    const ofKey = this.#byKey.get(caller)!;
    moveBack(ofKey.byAddress, address, ofKey.byAddress.get(address)!);
    moveBack(this.#byKey, caller, ofKey);
  }

  remove(waiting: Waiting): void {
    const { caller, address } = waiting.holder;
    const ofKey = this.#byKey.get(caller);
    const own = ofKey?.byAddress.get(address);
    if (ofKey === undefined || own?.delete(waiting) !== true) return;
    this.#size--;
    ofKey.size--;
    if (own.size === 0) ofKey.byAddress.delete(address);
    if (ofKey.byAddress.size === 0) this.#byKey.delete(caller);
  }

  /** Processor time since the queue was last empty; 0 while it is empty. */
  standingMs({ ownMs }: Moment): number {
    return this.#size === 0 ? 0 : ownMs - this.#emptyAt.ownMs;
  }

  /** Whether its key waits with no fewer than the keys do on average, and its address with no fewer than those of the key. */
  isOfLargeShare({ holder }: Waiting): boolean {
    const { byAddress, size } = this.#byKey.get(holder.caller)!;
    const own = byAddress.get(holder.address)!.size;
    return size * this.#byKey.size >= this.#size && own * byAddress.size >= size;
  }

  /** Time since the key of a waiting request last had none. */
  keyStandingMs({ holder }: Waiting, { wallMs }: Moment): number {
    return wallMs - this.#byKey.get(holder.caller)!.since.wallMs;
  }
}

/** Moves an entry behind all others. */
const moveBack = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key);
  map.set(key, value);
};
