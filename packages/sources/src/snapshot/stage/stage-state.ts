import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotManifest } from "../manifest/snapshot-manifest.ts";
import { diskError } from "@lamplight/errors";

/** A manifest without its table of storages: what is still needed once everything is staged. */
export type ManifestSummary = Omit<SnapshotManifest, "storages">;

/** What is known of one archive that lies in the partitions. */
export interface StagedArchive {
  readonly identity: string;
  readonly storages: number;
  readonly bytesRead: number;
  readonly bytesUnpacked: number;
  readonly manifest: ManifestSummary;
}

/** What a work folder says of itself. Written after everything it describes is on the disk. */
export interface StageState {
  readonly version: typeof stageVersion;
  /** What was left out, as text that changes with it. */
  readonly selection: string;
  readonly bits: number;
  /** Bytes of each partition file that count. */
  readonly lengths: readonly number[];
  readonly full: StagedArchive;
  readonly incremental: StagedArchive | null;
}

/** Raise when the form of partition files or of this file changes. */
export const stageVersion = 1;

const fileOf = (folder: string): string => join(folder, "stage.json");

/** Null when there is none, or none that can be used. */
export const readStageState = (folder: string): StageState | null => {
  let text: string;
  try {
    text = readFileSync(fileOf(folder), "utf8");
  } catch {
    return null;
  }
  try {
    const state = JSON.parse(text, reviveExact) as StageState;
    return state.version === stageVersion ? state : null;
  } catch {
    return null;
  }
};

/**
 * Replaces the file in one step: a crash leaves the old one or the new one.
 *
 * @throws LamplightError `STORE__FULL`
 */
export const writeStageState = (folder: string, state: StageState): void => {
  const partial = `${fileOf(folder)}.partial`;
  try {
    // Written to its last byte, or an error.
    writeFileSync(partial, JSON.stringify(state, writeExact), { flush: true });
    renameSync(partial, fileOf(folder));
  } catch (error) {
    throw diskError(error, folder);
  }
};

/** Bytes and large integers as tagged text. */
const writeExact = (_name: string, value: unknown): unknown => {
  if (typeof value === "bigint") return { "#bigint": value.toString() };
  if (value instanceof Uint8Array) return { "#bytes": Buffer.from(value).toString("base64") };
  return value;
};

const reviveExact = (_name: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if ("#bigint" in value) return BigInt(String(value["#bigint"]));
  if ("#bytes" in value) return new Uint8Array(Buffer.from(String(value["#bytes"]), "base64"));
  return value;
};

export const summaryOf = (manifest: SnapshotManifest): ManifestSummary => {
  const { storages, ...summary } = manifest;
  void storages;
  return summary;
};
