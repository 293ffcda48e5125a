import type { FillingProgram, IndexStore, SlotRate } from "@lamplight/core";
import { LamplightError, usageError } from "@lamplight/errors";
import type { ForkOverlay } from "@lamplight/indexer";
import { FillReader } from "@lamplight/sources/yellowstone";
import type { StageReporter } from "../process/load-stages.ts";
import type { SnapshotPlace } from "../snapshot/program-messages.ts";
import { SnapshotProgram } from "../snapshot/snapshot-program.ts";
import type { OpenedProgram } from "./changing-source.ts";
import { knownChainOf } from "./known-chain.ts";

export interface ProgramSourceOptions {
  readonly store: IndexStore;
  readonly overlay: ForkOverlay;
  /** URL of an RPC node; null = none. */
  readonly url: string | null;
  /** Null = the accounts come from the node. */
  readonly snapshot: SnapshotPlace | null;
  readonly signal: AbortSignal;
  readonly rate: SlotRate;
  readonly inform: (line: string) => void;
}

const noNode = "there is no RPC node to read its accounts from: start the follower with --repair-rpc";

/** Where the accounts of programs that are added come from: a ledger snapshot that a node confirms, or the node itself. */
export class ProgramSource {
  readonly #options: ProgramSourceOptions;
  readonly #reader: FillReader | null;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor(options: ProgramSourceOptions) {
    this.#options = options;
    const { url, signal, rate } = options;
    this.#reader = url === null ? null : new FillReader({ url, signal, rate });
  }

  /**
   * @param after - place of the last account that is not needed any more; null = all are needed
   * @param progress - of reading a ledger snapshot
   * @throws LamplightError of the families SOURCE and STORE
   */
  async read(
    filling: FillingProgram,
    after: string | null,
    progress: Pick<StageReporter, "update">,
  ): Promise<OpenedProgram> {
    const { overlay, store, snapshot, inform } = this.#options;
    const reader = this.#reader;
    if (reader === null) throw usageError(noNode);
    const base = await overlay.whileIdle(async () => ({
      watermark: await store.readWatermark(),
      chain: await knownChainOf(store),
    }));
    const from = snapshot === null ? "the RPC node" : "the ledger snapshot";
    inform(`reading the accounts of program ${filling.program} from ${from}`);
    if (snapshot !== null) return this.#readSnapshot(filling, after, snapshot, { reader, base, progress });
    const accounts = await reader.read(filling.program, filling.since!, base, after);
    return { ...accounts, close: async () => {} };
  }

  close(): void {
    this.#reader?.close();
  }

  async #readSnapshot(
    { program, since }: FillingProgram,
    after: string | null,
    place: SnapshotPlace,
    {
      reader,
      base,
      progress,
    }: {
      readonly reader: FillReader;
      readonly base: Parameters<FillReader["read"]>[2];
      readonly progress: Pick<StageReporter, "update">;
    },
  ): Promise<OpenedProgram> {
    const { signal } = this.#options;
    const data = { ...place, program, minSlot: since!, after };
    const snapshot = new SnapshotProgram(data, signal, (state) =>
      progress.update({ ...state, stage: `${state.stage} for program ${program}` }),
    );
    try {
      const staged = await snapshot.stage();
      const { archive, slot, blockhash, count } = staged;
      if (blockhash === null) {
        const reason = "it does not have the hash of its block, which the RPC node is to confirm";
        throw new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive, reason });
      }
      await reader.assertBlock({ slot, blockhash }, base);
      const close = async (isDone: boolean): Promise<void> => {
        await snapshot.close();
        if (isDone) snapshot.clear();
      };
      return { count, batches: snapshot.batches(staged), close };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }
}
