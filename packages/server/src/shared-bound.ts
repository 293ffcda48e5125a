import type { Caller } from "./keys.ts";

/** Who holds something that is bounded. */
export interface Holder {
  /** Null until a key was right. */
  readonly caller: Caller | null;
  readonly address: string;
}

/** Of a call, whose key was right. */
export interface CallHolder extends Holder {
  readonly caller: Caller;
}

/** What a key may hold of what the other keys leave, and an address of what the others of its key leave. */
const SHARE = 3 / 4;

interface KeyShare {
  held: number;
  readonly byAddress: Map<string, number>;
}

/**
 * A bound on what all callers hold together: requests, calls or bytes. However much one key holds, there is room for
 * another, and within a key for another address. A share that is in use is given to no other holder, and is free again when its
 * holder gives it back.
 */
export class SharedBound {
  readonly #max: number;
  readonly #byKey = new Map<Caller | null, KeyShare>();
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Whether a holder may take so much more. The first thing of a key, or of an address, may take all that is free.
   *
   * @param own - of the same thing, what is held already
   */
  hasRoom({ caller, address }: Holder, amount: number, own = 0): boolean {
    if (this.#held + amount > this.#max) return false;
    const share = this.#byKey.get(caller);
    if (share === undefined || share.held <= own) return true;
    const ofKey = SHARE * (this.#max - (this.#held - share.held));
    if (share.held + amount > ofKey) return false;
    const held = share.byAddress.get(address) ?? 0;
    return held <= own || held + amount <= SHARE * (ofKey - (share.held - held));
  }

  /** The same of bytes: where nothing else is held, one thing is taken, however large it is. */
  hasRoomForBytes(holder: Holder, bytes: number, own = 0): boolean {
    return this.#held <= own || this.hasRoom(holder, bytes, own);
  }

  add({ caller, address }: Holder, amount: number): void {
    let share = this.#byKey.get(caller);
    if (share === undefined) this.#byKey.set(caller, (share = { held: 0, byAddress: new Map() }));
    this.#held += amount;
    share.held += amount;
    share.byAddress.set(address, (share.byAddress.get(address) ?? 0) + amount);
  }

  /** Gives back what the same holder has added. */
  remove({ caller, address }: Holder, amount: number): void {
    const share = this.#byKey.get(caller);
    if (share === undefined || amount === 0) return;
    const held = share.byAddress.get(address)! - amount;
    this.#held -= amount;
    share.held -= amount;
    if (held === 0) share.byAddress.delete(address);
    else share.byAddress.set(address, held);
    if (share.byAddress.size === 0) this.#byKey.delete(caller);
  }
}
