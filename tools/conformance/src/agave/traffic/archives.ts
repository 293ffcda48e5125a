import { cpSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeAddress, programAddresses } from "@lamplight/codecs";
import { createIndexer } from "@lamplight/indexer";
import { openStoreForWriting } from "@lamplight/runtime";
import { type Follower, slotOf } from "./followers.ts";
import { LamplightProcess } from "./lamplight-process.ts";

export interface Archive {
  readonly file: string;
  readonly slot: number;
}

/** A loaded machine makes a slot in seconds; an archive comes every hundred. */
const WAIT_MS = 1_200_000;
const named = /^snapshot-(\d+)-\w+\.tar\.zst$/u;

/** The newest full snapshot archive of a validator; null = it has written none. */
const newestArchive = (ledger: string): Archive | null =>
  readdirSync(ledger)
    .flatMap((name) => {
      const slot = named.exec(name)?.[1];
      return slot === undefined ? [] : [{ file: join(ledger, name), slot: Number(slot) }];
    })
    .toSorted((a, b) => b.slot - a.slot)[0] ?? null;

/** Copies the first archive after `slot` that the validator writes: it deletes old ones. */
export const keepArchive = async (ledger: string, slot: number, folder: string): Promise<Archive> => {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(500)) {
    const newest = newestArchive(ledger);
    if (newest === null || newest.slot <= slot) continue;
    const file = join(folder, basename(newest.file));
    cpSync(newest.file, file);
    return { file, slot: newest.slot };
  }
  throw new Error(`the validator writes no snapshot archive in ${WAIT_MS / 1000} s`);
};

export interface Compared {
  readonly isEqual: boolean;
  readonly same: number;
  readonly later: number;
  readonly differing: number;
  readonly differences: readonly {
    readonly address: string;
    /** `missing`, or the members that differ. */
    readonly differs: readonly string[];
    readonly storeSlot: number | null;
    readonly snapshotSlot: number | null;
  }[];
}

/** `verify --snapshot`: what its result line says; null = it printed none. */
export const proveStore = async (
  store: string,
  archive: Archive,
): Promise<{
  readonly compared: Compared | null;
  readonly exitCode: number | null;
  readonly output: string;
}> => {
  const verifying = new LamplightProcess([
    "verify",
    `--store=${store}`,
    `--snapshot=${archive.file}`,
    "--json",
  ]);
  const exitCode = await verifying.exitCode();
  const { output } = verifying;
  const line = output.split("\n").find((text) => text.includes('"event":"compared"'));
  return { compared: line === undefined ? null : (JSON.parse(line) as Compared), exitCode, output };
};

/** Once it holds the slot of the archive. */
export const untilFinalized = async ({ name, endpoint }: Follower, slot: number): Promise<void> => {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(500))
    if (((await slotOf(endpoint, "finalized")) ?? 0) >= slot) return;
  throw new Error(`${name} does not finalize slot ${slot} in ${WAIT_MS / 1000} s`);
};

/** An account that no transaction changes. */
const unchanging = "SysvarRent111111111111111111111111111111111";

/** Replaces an account of the archive, as a fault of ours would. @returns its address */
export const spoilStore = async (store: string, { slot }: Archive): Promise<string> => {
  const writer = await openStoreForWriting(store, { create: false });
  try {
    const watermark = await writer.readWatermark();
    const address = decodeAddress(unchanging);
    const spoiled = {
      address,
      programOwner: programAddresses.sysvar,
      lamports: 1n,
      executable: false,
      rentEpoch: 0n,
      data: new Uint8Array(0),
      slot,
      writeVersion: 1,
    };
    await createIndexer(writer).applyAccounts([spoiled], { slot, blockhash: null, ...watermark });
    return unchanging;
  } finally {
    await writer.close();
  }
};
