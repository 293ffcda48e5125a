import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotManifest } from "../manifest/snapshot-manifest.ts";
import { diskError } from "@lamplight/errors";

/** A manifest without its table of storages, for the steps after staging. */
export type ManifestSummary = Omit<SnapshotManifest, "storages">;

/** One archive whose records are in the partitions. */
export interface StagedArchive {
  readonly identity: string;
  readonly storages: number;
  readonly bytesRead: number;
  readonly bytesUnpacked: number;
  readonly manifest: ManifestSummary;
}

/** The state of a work folder. Written after everything it describes is on the disk. */
export interface StageState {
  readonly version: typeof STAGE_VERSION;
  /** Text that names what was left out. */
  readonly selection: string;
  readonly bits: number;
  /** Valid bytes of each partition file. */
  readonly lengths: readonly number[];
  readonly full: StagedArchive;
  readonly incremental: StagedArchive | null;
}

/** Increment it when the format of partition files or of this file changes. */
export const STAGE_VERSION = 1;

const fileOf = (folder: string): string => join(folder, "stage.json");

/** Null when there is none, or it cannot be used. */
export const readStageState = (folder: string): StageState | null => {
  let text: string;
  try {
    text = readFileSync(fileOf(folder), "utf8");
  } catch {
    return null;
  }
  try {
    const state = JSON.parse(text, reviveExact) as StageState;
    return state.version === STAGE_VERSION ? state : null;
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
    // Writes all bytes, or throws.
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
