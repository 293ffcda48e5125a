// `lamplight serve --follow` on a disk that is really full: a small file system of its own, where that may be mounted.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { programAddresses } from "@lamplight/codecs";
import type { Account, ChainEvent } from "@lamplight/core";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, expect, test } from "vitest";
import { startCommand } from "../../test/run-command.ts";
import { until } from "../../test/until.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-full-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder]).status === 0;
if (!mounted) console.warn("full-disk.test.ts is skipped: no file system can be mounted here (needs root)");
afterAll(() => {
  if (mounted) spawnSync("umount", ["-l", folder]);
  rmSync(folder, { recursive: true });
});

/** Bytes that take as much room in the store as they have. */
const account = (slot: number, bytes: number): Account => ({
  address: new Uint8Array(32).fill(9),
  programOwner: new Uint8Array(32).fill(8),
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data: Uint8Array.from({ length: bytes }, (_, index) => (((index + slot) * 31) & 255) | 1),
  slot,
  writeVersion: slot,
});

const text = (value: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return Buffer.concat([length, Buffer.from(value)]);
};

/** A Core asset of another name in each slot, so that there is a search index to save at the end. */
const asset = (slot: number): Account => ({
  ...account(slot, 0),
  address: new Uint8Array(32).fill(10),
  programOwner: programAddresses.mplCore,
  data: Buffer.concat([
    Uint8Array.of(1),
    new Uint8Array(32).fill(7),
    Uint8Array.of(0),
    text(`Name ${slot}`),
    text("uri"),
    Uint8Array.of(0),
  ]),
});

const finalizedSlot = (slot: number, bytes: number): readonly ChainEvent[] => [
  { kind: "slot", slot, parent: slot - 1, status: "createdBank" },
  { kind: "account", account: account(slot, bytes) },
  { kind: "account", account: asset(slot) },
  { kind: "slot", slot, parent: slot - 1, status: "complete" },
  { kind: "slot", slot, parent: slot - 1, status: "finalized" },
];

const makeStore = async (): Promise<string> => {
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts([account(100, 1)], { slot: 100, blockhash: null });
  await store.close();
  return `sqlite:${file}`;
};

/** Takes all the room that is left. */
const fillDisk = (): void => {
  for (let bytes = 1 << 20; bytes >= 4096; bytes /= 2)
    for (let isFull = false, count = 0; !isFull; count += 1)
      try {
        writeFileSync(join(folder, `filler-${bytes}-${count}`), Buffer.alloc(bytes, 1));
      } catch {
        isFull = true;
      }
};

const makeRoom = (): void => {
  spawnSync("sh", ["-c", `rm -f '${folder}'/filler-*`]);
};

test.skipIf(!mounted)(
  "waits for room, goes on by itself, and obeys SIGTERM while the disk is full",
  async () => {
    const store = await makeStore();
    const upstream = new SimulatedYellowstone({ replay: () => [] });
    const follow = `yellowstone=${await upstream.start()}`;
    const child = startCommand(["serve", "--store", store, "--key", "k", "--port", "0", "--follow", follow]);
    child.stderr!.resume();
    let url = "";
    createInterface(child.stdout!).on("line", (line) => {
      const entry = JSON.parse(line) as { readonly msg: string; readonly url: string };
      if (entry.msg === "serving") url = entry.url;
    });
    const followed = async (): Promise<{ readonly status: string; readonly finalizedSlot: number }> => {
      const response = await fetch(`${url}/v3/k/readyz`);
      return ((await response.json()) as { readonly follow: { status: string; finalizedSlot: number } })
        .follow;
    };
    try {
      await until(() => url !== "" && upstream.subscribers === 1);
      upstream.emit(finalizedSlot(101, 100_000));
      await until(async () => (await followed()).finalizedSlot === 101);
      fillDisk();
      upstream.emit([...finalizedSlot(102, 1_000_000), ...finalizedSlot(103, 1_000_000)]);
      await until(async () => (await followed()).status === "store full");
      makeRoom();
      await until(async () => (await followed()).finalizedSlot === 103);
      expect(await followed()).toMatchObject({ status: "following" });
      fillDisk();
      upstream.emit([...finalizedSlot(104, 2_000_000), ...finalizedSlot(105, 2_000_000)]);
      await until(async () => (await followed()).status === "store full");
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
      upstream.stop();
    }
  },
);
