// A followed store compared with a later snapshot archive of the same chain.

import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { encodeAddress, isTokenProgram, programAddressTexts } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChainArchives, writeChainArchives } from "../../test/chain-archive.ts";
import { serveInterrupted } from "../../test/interrupted-download.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { loadSnapshot, type SnapshotFilter } from "@lamplight/runtime/snapshot";
import { silent } from "../../test/snapshot-loads.ts";

const slotPattern = /snapshot-(\d+)-/u;

const folder = mkdtempSync(join(tmpdir(), "lamplight-verify-snapshot-"));
let archives: ChainArchives;
let fullSlot = 0;
/** Loaded from the full archive, never followed. */
let loaded = "";
/** The same, and followed to the slot of the incremental archive. */
let followed = "";
let copies = 0;
beforeAll(async () => {
  archives = writeChainArchives(folder, 1500);
  fullSlot = Number(slotPattern.exec(basename(archives.full))?.[1]);
  loaded = await loadFull("loaded.db", null);
  followed = copyOf(loaded);
  await follow(followed, archives.writes, archives.slot);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const loadFull = async (name: string, filter: SnapshotFilter): Promise<string> => {
  const file = join(folder, name);
  const store = `sqlite:${file}`;
  await loadSnapshot({ full: archives.full, incremental: null, store, filter, verify: "full" }, silent);
  return file;
};

const copyOf = (file: string): string => {
  const copy = join(folder, `copy-${(copies += 1)}.db`);
  cpSync(file, copy);
  return copy;
};

/** Commits writes after the store's slot, as a follower does. */
const follow = async (file: string, writes: readonly Account[], slot: number): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  try {
    await createIndexer(store).applyAccounts(
      writes.filter((account) => account.slot > fullSlot),
      { slot, blockhash: null },
    );
  } finally {
    await store.close();
  }
};

const spoil = (file: string, sql: string): void => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};

const argsFor = (file: string, more: readonly string[]): readonly string[] => [
  "verify",
  "--store",
  `sqlite:${file}`,
  "--snapshot",
  archives.full,
  ...more,
];

/** Runs the comparison with the output that programs read. */
const compare = async (file: string, more = ["--incremental", archives.incremental]) => {
  const { exitCode, stdout, stderr } = await runCommand([...argsFor(file, more), "--json"]);
  expect(stdout, stderr).not.toBe("");
  return { exitCode, event: JSON.parse(stdout) as Readonly<Record<string, unknown>> };
};

/** Runs the comparison with the output that people read. */
const compareAloud = (file: string) => runCommand(argsFor(file, ["--incremental", archives.incremental]));

test("a store that was followed to the snapshot's slot is equal to it, lattice hash included", async () => {
  const { exitCode, event } = await compare(followed);
  expect(event).toMatchObject({
    isEqual: true,
    same: archives.living.length,
    later: 0,
    pending: 0,
    uncovered: 0,
    differing: 0,
  });
  expect(archives.incremental).toContain(String(event["storeChecksum"]));
  expect(event["storeChecksum"]).toBe(event["snapshotChecksum"]);
  expect(exitCode).toBe(0);
  expect(existsSync(`${followed}.verify`)).toBe(false);
});

test("accounts written or closed after the snapshot are reported separately", async () => {
  const file = copyOf(followed);
  const [first, second] = archives.living as readonly [Account, Account];
  const slot = archives.slot + 5;
  const closed = { ...second, lamports: 0n, data: new Uint8Array(0) };
  const created = { ...first, address: new Uint8Array(32).fill(0x55) };
  const writes = [{ ...first, lamports: first.lamports + 1n }, closed, created];
  await follow(
    file,
    writes.map((account) => ({ ...account, slot })),
    slot,
  );
  const { exitCode, event } = await compare(file);
  expect(event).toMatchObject({ isEqual: true, later: 3, differing: 0, same: archives.living.length - 2 });
  expect(event["storeChecksum"]).toBe(event["snapshotChecksum"]);
  expect(exitCode).toBe(0);
});

test("a store that is behind the snapshot is compared as far as it has come", async () => {
  const { exitCode, event } = await compare(loaded);
  expect(event).toMatchObject({ isEqual: true, later: 0, differing: 0, storeSlot: fullSlot });
  expect(event["pending"]).toBeGreaterThan(0);
  expect(exitCode).toBe(0);
});

test("one spoiled account is named with its field and slots, and changes the hash", async () => {
  const file = copyOf(followed);
  spoil(
    file,
    "UPDATE account SET lamports = lamports + 1 WHERE id = (SELECT max(id) FROM account WHERE lamports <> 0)",
  );
  const { stdout: text } = await compareAloud(file);
  const { exitCode, event } = await compare(file);
  expect(text).toMatch(
    /^account \w{32,44} differs in lamports \(slot \d+ in the store, \d+ in the snapshot\)$/mu,
  );
  expect(text).toContain("NOT equal");
  expect(event).toMatchObject({ isEqual: false, differing: 1 });
  expect(event["storeChecksum"]).not.toBe(event["snapshotChecksum"]);
  expect(exitCode).toBe(1);
});

test("an account that the store lacks and one that it has too many are named", async () => {
  const file = copyOf(followed);
  spoil(file, "DELETE FROM account WHERE id = (SELECT min(id) FROM account)");
  const extra = { ...archives.living[0]!, address: new Uint8Array(32).fill(0x56), slot: archives.slot };
  await follow(file, [extra], archives.slot);
  const { exitCode, stdout: text } = await compareAloud(file);
  expect(text).toMatch(/^account \w{32,44} differs in missing \(slot - in the store/mu);
  expect(text).toContain(
    `account ${encodeAddress(extra.address)} differs in extra (slot ${archives.slot} in the store, - in`,
  );
  expect(exitCode).toBe(1);
});

test("a store of one program is compared for its accounts, and the rest is not its own", async () => {
  const programs = [programAddressTexts.token];
  const filter = { kind: "filtered", programs, owners: [], mints: [], collections: [] } as const;
  const file = await loadFull("tokens.db", filter);
  const sound = await compare(file, []);
  expect(sound.event).toMatchObject({ isEqual: true, differing: 0 });
  expect(sound.event["uncovered"]).toBeGreaterThan(0);
  spoil(
    file,
    "DELETE FROM account WHERE id = (SELECT min(a.id) FROM account AS a JOIN program AS p ON p.id = a.program WHERE hex(p.address) LIKE '06DDF6E1D765A193%')",
  );
  const robbed = await compare(file, []);
  expect(robbed.event).toMatchObject({ isEqual: false, differing: 1 });
  expect(archives.living.some(({ programOwner }) => isTokenProgram(programOwner))).toBe(true);
});

test("stopped while it downloads, the same command goes on from there", async () => {
  await using download = await serveInterrupted(archives.full);
  const args = ["verify", "--store", `sqlite:${loaded}`, "--snapshot", `http://${download.address}`];
  const child = startCommand(args);
  const exit = once(child, "exit");
  await expect.poll(() => download.ranges.length).toBe(1);
  await expect.poll(() => existsSync(`${loaded}.verify`)).toBe(true);
  child.kill("SIGTERM");
  expect((await exit)[0]).toBe(1);
  const { exitCode, stdout } = await runCommand(args);
  expect(stdout).toContain(`equal to the snapshot of slot ${fullSlot}`);
  expect(exitCode).toBe(0);
  expect(download.ranges.length).toBeGreaterThan(1);
  expect(existsSync(`${loaded}.verify`)).toBe(false);
});

test.each([
  [["--incremental", "x"], "--incremental and --work are only for --snapshot"],
  [["--snapshot", "/nowhere/at-all"], "/nowhere/at-all"],
])("%j is refused with the reason", async (more, reason) => {
  const { exitCode, stderr } = await runCommand(["verify", "--store", `sqlite:${loaded}`, ...more]);
  expect(stderr).toContain(reason);
  expect(exitCode).not.toBe(0);
});
