import { join } from "node:path";
import {
  findSnapshotSources,
  type StagedSnapshot,
  stageSnapshot,
  type StageSelection,
} from "@lamplight/sources/snapshot";
import type { StageReporter } from "../process/load-stages.ts";

export interface ArchivesToStage {
  /** File, folder or URL. */
  readonly full: string;
  readonly incremental: string | null;
  readonly selection: StageSelection;
  /** The folder of downloads and partitions. */
  readonly folder: string;
}

export const downloadFolderIn = (folder: string): string => join(folder, "download");
export const stageFolderIn = (folder: string): string => join(folder, "stage");

/** Downloaded bytes may still have to be unpacked, so the stage ends when the next one starts. */
const READ_SHARE_MAX = 0.99;

/** Reads the archives into partitions, or reuses those of an earlier run. Logs what is unusual about them. */
export const stageArchives = async (
  { full, incremental, selection, folder }: ArchivesToStage,
  emitter: StageReporter,
  signal?: AbortSignal,
): Promise<StagedSnapshot> => {
  const sources = await findSnapshotSources(full, incremental, downloadFolderIn(folder));
  const staged = await stageSnapshot(sources, {
    folder: stageFolderIn(folder),
    selection,
    onProgress: ({ archive, bytesRead, bytesTotal, bytesUnpacked, records }) =>
      emitter.update({
        stage: archive === "full" ? "read" : "read incremental",
        share:
          bytesTotal === null || bytesTotal === 0 ? null : Math.min(bytesRead / bytesTotal, READ_SHARE_MAX),
        accounts: records,
        unit: "records",
        bytes: bytesUnpacked,
      }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (staged.wasThere) emitter.say("continuing from the partitions of an earlier run");
  const { fault, unknownBytes } = (staged.state.incremental ?? staged.state.full).manifest.extras;
  if (fault !== null) emitter.say(`the manifest cannot be decoded to its end: ${fault}`);
  if (unknownBytes > 0) emitter.say(`the manifest has ${unknownBytes} bytes after the known fields`);
  return staged;
};
