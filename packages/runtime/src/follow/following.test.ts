// A store on a disk that is full, or locked, next to a stream that goes on.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { encodeAddress } from "@lamplight/codecs";
import { type Account, type ChainEvent, emptyChangeSet } from "@lamplight/core";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assetData, coreAccount, key } from "../../../indexer/test/encode-core.ts";
import { followChain } from "./follow-chain.ts";
import type { Upstream } from "./follow-options.ts";

const until = (condition: () => boolean) => expect.poll(condition).toBe(true);

const streamOf = async (upstream: SimulatedYellowstone): Promise<Upstream> => ({
  kind: "yellowstone",
  url: await upstream.start(),
  token: null,
  commitment: "processed",
  repairRpc: null,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-following-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A store at slot 100 that has this account. */
const storeWith = async (first: Account, fileBytesMax?: number) => {
  const file = join(folder, "index.db");
  const store = openSqliteStore({
    file,
    mode: "write",
    ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
  });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts([first], { slot: 100, blockhash: null });
  return { store, file };
};

const account = (slot: number, bytes: number): Account => ({
  address: new Uint8Array(32).fill(9),
  programOwner: new Uint8Array(32).fill(8),
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data: Uint8Array.from({ length: bytes }, (_, index) => (index * 31) & 255),
  slot,
  writeVersion: slot,
});

test("a full disk ends nothing, is reported once and by readiness, and a stop is obeyed in the meantime", async () => {
  const { store, file } = await storeWith(account(100, 1), 1_000_000);
  const upstream = new SimulatedYellowstone({ replay: () => [] });
  const said: string[] = [];
  const live = await followChain(store, await streamOf(upstream), {
    store: `sqlite:${file}`,
    withSearch: false,
    callsForever: false,
    say: (line) => said.push(line),
  });
  let end: unknown = "none yet";
  live.ended.then(
    () => (end = "ended"),
    (error: unknown) => (end = error),
  );
  try {
    await until(() => upstream.subscribers === 1);
    const events: ChainEvent[] = [101, 102].flatMap((slot): ChainEvent[] => [
      { kind: "account", account: account(slot, 1_500_000) },
      { kind: "slot", slot, parent: slot - 1, status: "complete" },
      { kind: "slot", slot, parent: slot - 1, status: "finalized" },
    ]);
    upstream.emit(events);
    await until(() => end !== "none yet" || live.status().detail["status"] === "store full");
    expect(end).toBe("none yet");
    expect(live.status()).toMatchObject({ isReady: false, detail: { finalizedSlot: 100 } });
    expect(said.filter((line) => line.includes("is full or refuses writes"))).toHaveLength(1);
  } finally {
    await live.stop();
    upstream.stop();
  }
  expect(end).toBe("ended");
});

test("a transaction of another connection that locks the file for long ends nothing", async () => {
  const { store, file } = await storeWith(account(100, 1));
  const upstream = new SimulatedYellowstone({ replay: () => [] });
  const hung = new DatabaseSync(file);
  const said: string[] = [];
  const live = await followChain(store, await streamOf(upstream), {
    store: `sqlite:${file}`,
    withSearch: false,
    callsForever: false,
    say: (line) => {
      said.push(line);
      if (line.includes("too long without a pause")) hung.exec("ROLLBACK");
    },
  });
  let end: unknown = "none yet";
  live.ended.catch((error: unknown) => (end = error));
  try {
    await until(() => upstream.subscribers === 1);
    hung.exec("BEGIN IMMEDIATE");
    const events = [101, 102].flatMap((slot): ChainEvent[] => [
      // Without it, only the end of a child would prove that the newest slot is complete.
      { kind: "slot", slot, parent: slot - 1, status: "createdBank" },
      { kind: "account", account: account(slot, 10) },
      { kind: "slot", slot, parent: slot - 1, status: "complete" },
      { kind: "slot", slot, parent: slot - 1, status: "finalized" },
    ]);
    upstream.emit(events);
    await until(() => end !== "none yet" || live.finalizedSlot === 102);
    expect(end).toBe("none yet");
    await until(() => said.includes("the store can be written again"));
  } finally {
    await live.stop();
    hung.close();
    upstream.stop();
  }
});

test("a stored asset that its accounts do not make is logged, counted and shown by readiness", async () => {
  const asset = coreAccount(key(1), assetData(null, []), { slot: 100 });
  const { store, file } = await storeWith(asset);
  await store.commit({ ...emptyChangeSet, assetsRemoved: [key(1)] });
  const upstream = new SimulatedYellowstone({ replay: () => [] });
  const said: string[] = [];
  const live = await followChain(store, await streamOf(upstream), {
    store: `sqlite:${file}`,
    withSearch: false,
    callsForever: false,
    say: (line) => said.push(line),
  });
  const counted = (): number | undefined =>
    live.samples().find(([name]) => name === "differing_assets_total")?.[2];
  try {
    await until(() => (counted() ?? 0) > 0);
    expect(live.status().detail).toMatchObject({ assetsDiffering: counted() });
    expect(said.filter((line) => line.startsWith(`asset ${encodeAddress(key(1))} is not what`))).toHaveLength(
      counted()!,
    );
  } finally {
    await live.stop();
    upstream.stop();
  }
});

test("a server that reports no new slot is silent, regardless of what it replays, until a new one comes", async () => {
  const { store, file } = await storeWith(account(100, 1));
  const events = (slot: number): readonly ChainEvent[] => [
    { kind: "account", account: account(slot, 10) },
    { kind: "slot", slot, parent: slot - 1, status: "complete" },
    { kind: "slot", slot, parent: slot - 1, status: "confirmed" },
  ];
  const upstream = new SimulatedYellowstone({ replay: () => [101, 102].flatMap(events) });
  const live = await followChain(store, await streamOf(upstream), {
    store: `sqlite:${file}`,
    withSearch: false,
    callsForever: true,
    maxStaleSeconds: 1,
    say: () => {},
  });
  const isSilent = (): boolean => live.status().detail["status"] === "silent";
  try {
    expect(live.status()).toMatchObject({ isReady: false, detail: { behindSlots: null } });
    await until(() => upstream.subscribers === 1);
    upstream.emit([101, 102].flatMap(events));
    await until(() => live.live?.overlay.state.processedSlot === 102 && isSilent());
    const sample = (name: string): number => live.samples().find(([each]) => each === name)![2];
    const connections = sample("connections_total");
    upstream.cutOff();
    await until(() => sample("connections_total") > connections && sample("connected") === 1);
    expect(live.status()).toMatchObject({ isReady: false, detail: { status: "silent" } });
    let slot = 102;
    // The loop ends once a slot is checked in time, however slow this machine is.
    await until(() => {
      slot += 1;
      upstream.emit(events(slot));
      return live.status().isReady;
    });
    expect(live.status().detail["behindSlots"]).toBeLessThan(slot);
  } finally {
    await live.stop();
    upstream.stop();
  }
});
