import { isLamplightError, LamplightError } from "@lamplight/errors";
import { clearStage, ThreadPool } from "@lamplight/sources/snapshot";
import type { ProgramBatch } from "@lamplight/sources/yellowstone";
import type { StageState } from "../process/load-stages.ts";
import type { ProgramDone, ProgramTask, ProgramThreadData, StagedProgram } from "./program-messages.ts";

const workerUrl = new URL(
  `./program-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
);

/** Reads the accounts of one program from a ledger snapshot, in a thread of its own. */
export class SnapshotProgram {
  readonly #pool: ThreadPool<ProgramTask, ProgramDone, StageState>;
  readonly #folder: string;
  readonly #aborted: Promise<never>;

  /** @param onProgress - called while the archives are read */
  constructor(data: ProgramThreadData, signal: AbortSignal, onProgress: (state: StageState) => void) {
    this.#folder = data.folder;
    this.#pool = new ThreadPool(workerUrl, {
      threads: 1,
      dataOf: () => data,
      place: data.folder,
      onNote: onProgress,
    });
    this.#aborted = new Promise((_, reject) => {
      const end = (): void => reject(signal.reason as Error);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
    this.#aborted.catch(() => {});
  }

  /**
   * Reads the archives into the folder, or continues what an earlier run left there, and compares them with their totals.
   *
   * @throws LamplightError of the family SOURCE
   */
  async stage(): Promise<StagedProgram> {
    return (await this.#ask("stage")) as StagedProgram;
  }

  /** The accounts in the order of their places. Each has the slot of its last write. */
  async *batches({ slot }: StagedProgram): AsyncGenerator<ProgramBatch> {
    for (;;) {
      const { accounts } = (await this.#ask("next")) as Extract<ProgramDone, { kind: "accounts" }>;
      if (accounts.length === 0) return;
      yield { slot, accounts };
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Removes the temporary files. */
  clear(): void {
    clearStage(this.#folder);
  }

  async #ask(task: ProgramTask): Promise<ProgramDone> {
    try {
      const [done] = await Promise.race([this.#pool.inEach(task), this.#aborted]);
      return done!;
    } catch (error) {
      throw isLamplightError(error, "STORE__FULL") ? folderIsFull(error) : error;
    }
  }
}

/** The disk of the folder may be another one than that of the store, which is reported by what follows the chain. */
const folderIsFull = (cause: LamplightError): LamplightError =>
  new LamplightError(
    "SOURCE__SNAPSHOT_REFUSED",
    { archive: "the ledger snapshot", reason: cause.message },
    { cause },
  );
