import { setTimeout as sleep } from "node:timers/promises";
import { FAR_SLOT_RETRIES_MAX } from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { RpcTrouble } from "./rpc-fault.ts";
import type { SlotHorizon } from "./slot-horizon.ts";

export interface FinalizedSlotWatchOptions {
  readonly signal: AbortSignal;
  /** Milliseconds until the next question. */
  readonly paceMs: () => number;
  /** Called after every answer. Slots that could not be checked are checked again. */
  readonly onAnswer: () => void;
  /** The session during which the call was made; null = none. */
  readonly session: () => AbortController | null;
}

/** Polls a node for its finalized and its newest slot, because notifications of them may be missing. */
export class FinalizedSlotWatch {
  readonly #horizon: SlotHorizon;
  readonly #client: RpcClient;
  readonly #options: FinalizedSlotWatchOptions;

  constructor(horizon: SlotHorizon, client: RpcClient, options: FinalizedSlotWatchOptions) {
    this.#horizon = horizon;
    this.#client = client;
    this.#options = options;
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { signal, paceMs, onAnswer } = this.#options;
    while (!signal.aborted) {
      try {
        const [finalized, node] = await Promise.all([this.#ask("finalized"), this.#ask("processed")]);
        // Before the first reading, a single answer cannot be compared with anything.
        if (this.#horizon.newest !== null) {
          await this.#assertNotFarBehind(node);
          this.#horizon.noteProcessed(node);
          this.#horizon.noteFinalized(finalized);
        }
        onAnswer();
      } catch {
        // Readers of accounts get the same failure and report it.
      }
      await sleep(paceMs(), undefined, { signal }).catch(() => undefined);
    }
  }

  #ask(commitment: string): Promise<unknown> {
    return this.#client.call("getSlot", [{ commitment }], { attemptsMax: 1 });
  }

  /**
   * Ends the session if the node answers several times in a row with a slot far below the newest one that it
   * reported.
   */
  async #assertNotFarBehind(node: unknown): Promise<void> {
    const session = this.#options.session();
    const { newest } = this.#horizon;
    let slot = node;
    for (let more = 0; Number(slot) + this.#horizon.slotsAheadMax < newest!; more += 1) {
      if (more > FAR_SLOT_RETRIES_MAX) {
        const doubt = `the node is at slot ${Number(slot)}, below its last known slot ${newest}`;
        session?.abort(new RpcTrouble(doubt));
        return;
      }
      slot = await this.#ask("processed");
    }
  }
}
