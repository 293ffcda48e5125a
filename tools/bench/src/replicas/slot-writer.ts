import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openPostgresStore, type PostgresIndexStore } from "@lamplight/store-postgres";
import { Traffic } from "../follow/traffic.ts";

const FIRST_SLOT = 1_000_000;
const PAUSE_MS = 400;
export const UPDATES_PER_SLOT = 300;

/** Writes slots one after another. Where a commit fails, the store finds the server that accepts writes by then. */
export class SlotWriter {
  /** The newest slot that is committed. */
  slot: number = FIRST_SLOT;
  readonly #store: PostgresIndexStore;
  readonly #traffic: Traffic;
  readonly #running: Promise<void>;
  #isOver = false;

  private constructor(store: PostgresIndexStore, traffic: Traffic) {
    this.#store = store;
    this.#traffic = traffic;
    this.#running = this.#run();
  }

  static async open(
    url: string,
    { seed, accounts }: { readonly seed: number; readonly accounts: number },
  ): Promise<SlotWriter> {
    const store = await openPostgresStore({ url, mode: "write" });
    return new SlotWriter(store, new Traffic(seed, accounts, new Random(seed, FIRST_SLOT, 0)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    await this.#store.close();
  }

  async #run(): Promise<void> {
    for (let slot = FIRST_SLOT; !this.#isOver; slot += 1) {
      const accounts = this.#traffic.next(slot, UPDATES_PER_SLOT);
      try {
        await createIndexer(this.#store).applyAccounts(accounts, { slot, blockhash: `bench ${slot}` });
        this.slot = slot;
      } catch {
        // Until a server accepts writes: the next slot has other changes.
      }
      await sleep(PAUSE_MS);
    }
  }
}
