// The accounts of a program from a snapshot of a simulated chain.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { ChainSimulation } from "@lamplight/devchain";
import { placeOf } from "@lamplight/sources/snapshot/merge";
import { afterEach, beforeEach, expect, onTestFailed, onTestFinished, test } from "vitest";
import { finalizedAccounts } from "../../test/finalized-accounts.ts";
import { writeSnapshot } from "../../test/write-snapshot.ts";
import type { StageState } from "../process/load-stages.ts";
import { SnapshotProgram } from "./snapshot-program.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 4);
const { tokenMetadata: program } = programAddressTexts;
const STEPS = 60;

let folder: string;
let simulation: ChainSimulation;
beforeEach(() => {
  onTestFailed(() => console.error(`repeat with LAMPLIGHT_FORK_SEED=${seed}`));
  folder = mkdtempSync(join(tmpdir(), "lamplight-program-"));
  mkdirSync(join(folder, "archives"));
  simulation = new ChainSimulation({ seed });
  for (let step = 0; step < STEPS; step += 1) simulation.next();
  writeSnapshot(join(folder, "archives"), simulation);
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (
  minSlot: number,
  after: string | null,
  signal = new AbortController().signal,
  onProgress: (state: StageState) => void = () => {},
): SnapshotProgram => {
  const full = join(folder, "archives");
  const place = { full, incremental: null, folder: join(folder, "work") };
  const snapshot = new SnapshotProgram({ ...place, program, minSlot, after }, signal, onProgress);
  onTestFinished(() => snapshot.close());
  return snapshot;
};

const readAll = async (after: string | null) => {
  const snapshot = open(0, after);
  const staged = await snapshot.stage();
  const accounts: Account[] = [];
  for await (const batch of snapshot.batches(staged)) accounts.push(...batch.accounts);
  return { staged, accounts };
};

const textOf = ({ address, data, lamports, slot }: Account): string =>
  `${encodeAddress(address)} ${slot} ${lamports} ${Buffer.from(data).toString("hex")}`;

test("living accounts come in the order of places, with the slots of their last writes, from any place on", async () => {
  const { staged, accounts } = await readAll(null);
  const wanted = finalizedAccounts(simulation).filter(
    ({ lamports, programOwner }) => lamports > 0n && encodeAddress(programOwner) === program,
  );
  expect(accounts.map(textOf).toSorted()).toEqual(wanted.map(textOf).toSorted());
  const places = accounts.map(({ address }) => placeOf(address));
  expect(places).toEqual(places.toSorted());
  const { slot, blockhash } = simulation.block(simulation.finalized)!;
  expect(staged).toMatchObject({ slot, blockhash, count: accounts.length });
  const half = Math.floor(places.length / 2);
  const rest = await readAll(places[half]!);
  expect(rest.staged.count).toBe(places.length - half - 1);
  expect(rest.accounts.map(textOf)).toEqual(accounts.slice(half + 1).map(textOf));
});

test("it reports how far the archives are read", async () => {
  const states: StageState[] = [];
  const { count } = await open(0, null, undefined, (state) => void states.push(state)).stage();
  expect(count).toBeGreaterThan(0);
  expect(states[0]).toMatchObject({ stage: "read", unit: "records" });
  expect(states.at(-1)).toEqual({ stage: "compare", share: 1, accounts: count });
});

test("a snapshot that is older than the first slot of the stream is refused, before it is read", async () => {
  const { finalized } = simulation;
  await expect(open(finalized + 1, null).stage()).rejects.toMatchObject({
    code: "SOURCE__SNAPSHOT_REFUSED",
    message: expect.stringContaining(`it is of slot ${finalized}, and one of slot ${finalized + 1}`),
  });
});

test("a stop ends what is being read", async () => {
  const stopping = new AbortController();
  const staging = open(0, null, stopping.signal).stage();
  stopping.abort(new Error("stopped"));
  await expect(staging).rejects.toThrow("stopped");
});

test("a full disk of the folder is no full disk of the store", async ({ skip }) => {
  const work = join(folder, "work");
  mkdirSync(work);
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", work]).status === 0;
  skip(!isMounted, "no file system can be mounted here (needs root)");
  try {
    await expect(open(0, null).stage()).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_REFUSED",
      message: expect.stringContaining(`the disk of ${work}`),
    });
  } finally {
    spawnSync("umount", ["-l", work]);
  }
});
