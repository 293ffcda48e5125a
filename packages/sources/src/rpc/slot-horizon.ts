import { type Slot, SlotRate } from "@lamplight/core";
import { AHEAD_SECONDS_MAX, FAR_SLOT_RETRIES_MAX } from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { RpcTrouble } from "./rpc-fault.ts";

/**
 * The node's position, and the highest slot that it can have reached. One accepted slot from the far future would
 * delay everything for years. So each slot must be close to the last reported ones, and at the start the node is
 * asked twice. If this machine slept for long, the next session asks again.
 */
export class SlotHorizon {
  readonly rate: SlotRate;
  #newest: Slot | null = null;
  #highest: Slot = 0;
  #processed: Slot = 0;
  #finalized: Slot = 0;

  /** @param rate - default: one that is never measured */
  constructor(rate: SlotRate = new SlotRate()) {
    this.rate = rate;
  }

  /** Slots by which a slot may be ahead of the newest known one. */
  get slotsAheadMax(): number {
    return this.rate.slotsIn(AHEAD_SECONDS_MAX);
  }

  /** Highest accepted slot, including those forgotten since. */
  get highest(): Slot {
    return this.#highest;
  }

  /** Null = not known yet. */
  get newest(): Slot | null {
    return this.#newest;
  }

  /** Newest processed slot that the node reported as such; 0 = none yet. */
  get processed(): Slot {
    return this.#processed;
  }

  /** Newest finalized one; 0 = none yet. */
  get finalized(): Slot {
    return this.#finalized;
  }

  /** @throws RpcTrouble */
  noteProcessed(slot: unknown): void {
    this.#processed = Math.max(this.#processed, this.assertNear(slot, "a slot notification"));
  }

  /** @throws RpcTrouble */
  noteFinalized(slot: unknown): void {
    this.#finalized = Math.max(this.#finalized, this.assertNear(slot, "the finalized slot"));
  }

  /**
   * Asks the node for its slot, unless that is known.
   *
   * @param expected - its last known slot; a node far ahead of that is asked several times
   * @throws RpcTrouble when two answers differ too much; what a call throws
   */
  async find(client: RpcClient, signal: AbortSignal, expected: Slot = Infinity): Promise<Slot> {
    if (this.#newest !== null) return this.#newest;
    const ask = async (): Promise<Slot> =>
      (await client.call("getSlot", [{ commitment: "processed" }], { signal, check: slotOf })) as Slot;
    const reported = [await ask(), await ask()];
    if (Math.max(...reported) > expected + this.slotsAheadMax)
      for (let more = 0; more < FAR_SLOT_RETRIES_MAX; more += 1) reported.push(await ask());
    const other = reported.find((slot) => Math.abs(slot - reported[0]!) > this.slotsAheadMax);
    if (other !== undefined)
      throw new RpcTrouble(`the node reported slot ${reported[0]}, then slot ${other}`);
    this.#newest = Math.max(...reported);
    return this.#newest;
  }

  forget(): void {
    this.#highest = Math.max(this.#highest, this.#newest ?? 0);
    this.#newest = null;
  }

  /** The accepted slot was wrong. */
  giveUp(): void {
    this.#newest = null;
    this.#highest = 0;
    this.#processed = 0;
    this.#finalized = 0;
  }

  /**
   * @param what - name of the reporting call, for messages
   * @throws RpcTrouble for an invalid slot, and for one far ahead
   */
  assertNear(slot: unknown, what: string): Slot {
    const reported = slotOf(slot);
    const newest = this.#newest ?? reported;
    if (reported > newest + this.slotsAheadMax) {
      throw new RpcTrouble(
        `${what} is at slot ${reported}, far ahead of slot ${newest}, the node's last known slot`,
      );
    }
    // Until the node's position is known, a single number proves nothing.
    if (this.#newest !== null) this.#newest = Math.max(newest, reported);
    return reported;
  }
}

const slotOf = (slot: unknown): Slot => {
  if (Number.isSafeInteger(slot) && (slot as Slot) >= 0) return slot as Slot;
  throw new RpcTrouble("a slot is no number");
};
