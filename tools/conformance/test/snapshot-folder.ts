import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { encodeAddress } from "@lamplight/codecs";
import { writeManifest } from "@lamplight/devchain";
import { writeChainArchives } from "../../../packages/cli/test/chain-archive.ts";
import { columnsOf } from "../src/suites/ingest-archive.ts";

const ACCOUNTS = 1500;

/** A folder as the ingest suite needs it, of a generated chain: a full archive and an incremental one over it. */
export const createSnapshotFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-snapshots-"));
  const snapshots = join(folder, "snapshots");
  mkdirSync(snapshots);
  mkdirSync(join(folder, "expected"));
  const { full, incremental, slot, writes, living } = writeChainArchives(snapshots, ACCOUNTS);
  writeManifestAlone(join(snapshots, "manifest-generated-300000000.bin.zst"));
  writeInTwoFrames(full, join(snapshots, `multiframe-${basename(full)}`));
  const expected = {
    archives: [basename(full), basename(incremental)],
    slot,
    recordsTotal: writes.length,
    liveAccounts: living.length,
    capitalization: living.reduce((sum, { lamports }) => sum + lamports, 0n).toString(),
    accounts: living.map((account) => [encodeAddress(account.address), ...columnsOf(account)]),
  };
  writeFileSync(join(folder, "expected", "snapshots.json"), JSON.stringify({ archives: [expected] }));
  return folder;
};

/** Large enough to be unpacked in several pieces. */
const writeManifestAlone = (target: string): void => {
  const manifest = writeManifest({
    era: "4.1",
    slot: 300_000_000,
    capitalization: 1n,
    storages: [],
    stakes: 120,
  });
  if (manifest.length < 2 ** 20) throw new Error("the manifest is too small to show anything");
  writeFileSync(target, zstdCompressSync(manifest));
};

/** The same archive, as tools write it that compress in parallel. */
const writeInTwoFrames = (archive: string, target: string): void => {
  const bytes = zstdDecompressSync(readFileSync(archive));
  const half = bytes.length >> 1;
  const frames = [bytes.subarray(0, half), bytes.subarray(half)].map((part) => zstdCompressSync(part));
  writeFileSync(target, Buffer.concat(frames));
};
