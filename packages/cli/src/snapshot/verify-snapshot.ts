import { join } from "node:path";
import { isLamplightError } from "@lamplight/errors";
import { exitCodes } from "@lamplight/server/command";
import {
  createStageReporter,
  engineOf,
  nameOfStore,
  openStoreExport,
  type StageReporter,
} from "@lamplight/runtime";
import { clearStage } from "@lamplight/sources/snapshot";
import type { CommandOutput } from "../output.ts";
import {
  compareSnapshot,
  type SnapshotComparison,
  stageArchives,
  stageSelectionOf,
} from "@lamplight/runtime/snapshot";

export interface VerifySnapshotOptions {
  readonly store: string;
  /** File, folder or URL. */
  readonly snapshot: string;
  readonly incremental: string | null;
  /** Parent of the temporary folder when the store is no file; undefined = the current folder. */
  readonly workFolder: string | undefined;
}

const goOn = "stopped; run the same command to continue from here";

/** Compares a store with a snapshot, prints what differs, and answers the exit code. */
export const verifySnapshot = async (
  options: VerifySnapshotOptions,
  output: CommandOutput,
): Promise<number> => {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error(goOn));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const emitter = createStageReporter(output.progress);
  try {
    const comparison = await compare(options, emitter, stopping.signal);
    emitter.end();
    return printComparison(nameOfStore(options.store), comparison, output);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    emitter.say(goOn);
    return exitCodes.failed;
  } finally {
    emitter.end();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
};

const compare = async (
  { store, snapshot, incremental, workFolder }: VerifySnapshotOptions,
  emitter: StageReporter,
  signal: AbortSignal,
): Promise<SnapshotComparison> => {
  const file = engineOf(store).fileOf(store);
  const folder = file === null ? join(workFolder ?? ".", "lamplight.verify") : `${file}.verify`;
  // A store that is not there ends this before anything is downloaded.
  await (await openStoreExport(store)).close();
  try {
    const archives = { full: snapshot, incremental, selection: stageSelectionOf(null), folder };
    const staged = await stageArchives(archives, emitter, signal);
    await staged.saved;
    const kept = await openStoreExport(store);
    try {
      const comparison = await compareSnapshot(staged, kept, emitter, signal);
      clearStage(folder);
      return comparison;
    } finally {
      await kept.close();
    }
  } catch (error) {
    const isOfUse = signal.aborted || isLamplightError(error, "SOURCE__DOWNLOAD");
    if (!isOfUse) clearStage(folder);
    throw error;
  }
};

const printComparison = (store: string, comparison: SnapshotComparison, output: CommandOutput): number => {
  const { differences, differing, problems, same, later, pending, uncovered } = comparison;
  const { snapshotChecksum, storeChecksum, snapshotSlot, storeSlot } = comparison;
  const isHashEqual = storeChecksum === snapshotChecksum;
  const isEqual = differing === 0 && problems.length === 0 && isHashEqual;
  const unlisted = differing - differences.length;
  output.result({ event: "compared", store, isEqual, ...comparison }, [
    ...problems.map((problem) => `problem: ${problem}`),
    ...differences.map(
      (one) =>
        `account ${one.address} differs in ${one.differs.join(", ")} (slot ${one.storeSlot ?? "-"} in the store, ${one.snapshotSlot ?? "-"} in the snapshot)`,
    ),
    ...(unlisted > 0 ? [`and ${unlisted} accounts more`] : []),
    `snapshot       slot ${snapshotSlot}, lattice hash ${snapshotChecksum ?? "not kept by this version"}`,
    `store          slot ${storeSlot}, lattice hash ${storeChecksum ?? "-"}${isHashEqual ? "" : " (differs)"}`,
    `accounts       ${same} equal, ${differing} different`,
    ...(later > 0 ? [`               ${later} were written after the snapshot: not compared`] : []),
    ...(pending > 0 ? [`               ${pending} were written after the store's slot: not compared`] : []),
    ...(uncovered > 0 ? [`               ${uncovered} are not covered by the store: not compared`] : []),
    `${store}: ${isEqual ? "equal" : "NOT equal"} to the snapshot of slot ${snapshotSlot}`,
  ]);
  return isEqual ? exitCodes.done : exitCodes.failed;
};
