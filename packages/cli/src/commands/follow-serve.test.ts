// `lamplight serve --follow` as a process: three commitments over HTTP while the chain moves.

import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account, ChainEvent, Slot } from "@lamplight/core";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { describe, expect, test } from "vitest";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { postCall, servingUrl } from "../../test/serving.ts";
import { until } from "../../test/until.ts";

const ROOT = 100;
const address = new Uint8Array(32).fill(9);

const write = (slot: Slot, lamports: bigint): Account => ({
  address,
  programOwner: programAddresses.system,
  lamports,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(0),
  slot,
  writeVersion: slot,
});

const slotEvents = (slot: Slot, parent: Slot, lamports: bigint): readonly ChainEvent[] => [
  { kind: "slot", slot, parent, status: "createdBank" },
  { kind: "account", account: write(slot, lamports) },
  {
    kind: "block",
    slot,
    parent,
    blockhash: encodeAddress(new Uint8Array(32).fill(slot)),
    parentBlockhash: null,
  },
  { kind: "slot", slot, parent, status: "complete" },
];

const status = (slot: Slot, word: "confirmed" | "finalized"): ChainEvent => ({
  kind: "slot",
  slot,
  parent: null,
  status: word,
});

/** As `rsync --inplace`: without emptying the file first, which would end a process that reads it by a signal. */
const writeOver = (from: string, to: string): void => writeFileSync(to, readFileSync(from), { flag: "r+" });

describe("lamplight serve --follow", () => {
  test("answers each commitment from its own slot, reports a gap, and ends well", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-serve-follow-"));
    const file = join(folder, "index.db");
    const store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await createIndexer(store).applyAccounts([write(ROOT, 1n)], { slot: ROOT, blockhash: null });
    await store.close();
    const upstream = new SimulatedYellowstone({ replay: () => [] });
    const upstreamUrl = await upstream.start();
    const serveFlags = ["--store", `sqlite:${file}`, "--key", "k", "--port", "0"];
    const child = startCommand(["serve", ...serveFlags, "--follow", `yellowstone=${upstreamUrl}`]);
    try {
      const url = await servingUrl(child);
      const ask = async (commitment: string): Promise<string> => {
        const params = [encodeAddress(address), { commitment }];
        const response = await postCall(`${url}/v3/k`, "getAccountInfo", params);
        const { result } = (await response.json()) as {
          result: { context: { slot: number }; value: { lamports: number } };
        };
        return `${commitment} ${result.context.slot} ${result.value.lamports}`;
      };
      const readiness = async (): Promise<{ status: string; follow: { status: string } }> =>
        (await fetch(`${url}/v3/k/readyz`)).json() as Promise<{ status: string; follow: { status: string } }>;
      await until(async () => upstream.subscribers === 1);
      upstream.emit([...slotEvents(101, ROOT, 2n), ...slotEvents(102, 101, 3n), ...slotEvents(103, 102, 4n)]);
      upstream.emit([status(102, "confirmed"), status(101, "finalized")]);
      await until(async () => (await ask("finalized")) === "finalized 101 2");
      expect(await Promise.all(["processed", "confirmed", "finalized"].map(ask))).toEqual([
        "processed 103 4",
        "confirmed 102 3",
        "finalized 101 2",
      ]);
      expect(await readiness()).toMatchObject({
        status: "ready",
        slot: 101,
        follow: { status: "following" },
      });
      upstream.emit([...slotEvents(106, 105, 9n), status(106, "confirmed")]);
      await until(async () => (await readiness()).follow.status === "gap");
      expect(await ask("processed")).toBe("processed 103 4");
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
      upstream.stop();
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ["replaced", renameSync],
    ["overwritten in place", writeOver],
  ])("over a store file that is %s it is not ready, and ends with the next slot", async (_, replace) => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-serve-replaced-"));
    const file = join(folder, "index.db");
    const other = join(folder, "other.db");
    for (const [path, slots] of [
      [file, [ROOT]],
      [other, [50, 60]],
    ] as const) {
      const store = openSqliteStore({ file: path, mode: "write" });
      await store.writeCoverage({ kind: "whole" });
      for (const slot of slots)
        await createIndexer(store).applyAccounts([write(slot, 1n)], { slot, blockhash: null });
      await store.close();
    }
    const upstream = new SimulatedYellowstone({ replay: () => [] });
    const flags = ["--store", `sqlite:${file}`, "--key", "k", "--port", "0"];
    const child = startCommand(["serve", ...flags, "--follow", `yellowstone=${await upstream.start()}`]);
    let stderr = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const said: { readonly msg: string; readonly url: string }[] = [];
    createInterface(child.stdout!).on("line", (line) => said.push(JSON.parse(line) as (typeof said)[number]));
    try {
      await until(async () => upstream.subscribers === 1 && said.some(({ msg }) => msg === "serving"));
      const { url } = said.find(({ msg }) => msg === "serving")!;
      const readiness = async (): Promise<[number, string]> => {
        const response = await fetch(`${url}/readyz`).catch(() => null);
        return response === null ? [503, "ended"] : [response.status, await response.text()];
      };
      const emit = (slot: Slot): void =>
        upstream.emit([...slotEvents(slot, slot - 1, 2n), status(slot, "finalized")]);
      emit(ROOT + 1);
      await until(async () => (await readiness())[0] === 200);
      const ended = once(child, "exit");
      replace(other, file);
      await until(async () => /replaced|ended/u.test((await readiness())[1]));
      expect((await readiness())[0]).toBe(503);
      for (let slot = ROOT + 2; child.exitCode === null && slot < ROOT + 200; slot++) {
        emit(slot);
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000))]);
      }
      expect(await ended).toEqual([1, null]);
      expect(stderr).toContain("replaced or deleted");
    } finally {
      child.kill("SIGKILL");
      upstream.stop();
      rmSync(folder, { recursive: true });
    }
  });

  test("is not ready next to a server that stands far below the store, and says so once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-serve-behind-"));
    const file = join(folder, "index.db");
    const store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await createIndexer(store).applyAccounts([write(1000, 1n)], { slot: 1000, blockhash: null });
    await store.close();
    const upstream = new SimulatedYellowstone({ replay: () => [] });
    const flags = ["--store", `sqlite:${file}`, "--key", "k", "--port", "0"];
    const child = startCommand(["serve", ...flags, "--follow", `yellowstone=${await upstream.start()}`]);
    const said: { readonly msg: string; readonly url: string }[] = [];
    createInterface(child.stdout!).on("line", (line) => said.push(JSON.parse(line) as (typeof said)[number]));
    try {
      await until(async () => upstream.subscribers === 1 && said.some(({ msg }) => msg === "serving"));
      const { url } = said.find(({ msg }) => msg === "serving")!;
      const readiness = async (): Promise<[number, unknown]> => {
        const response = await fetch(`${url}/v3/k/readyz`);
        const { follow } = (await response.json()) as { follow: { status: string; sourceSlot: number } };
        return [response.status, follow];
      };
      for (let slot = 1; slot <= 50; slot += 1)
        upstream.emit([...slotEvents(slot, slot - 1, 2n), status(slot, "finalized")]);
      await until(async () => {
        const [, follow] = await readiness();
        return (follow as { sourceSlot: number | null }).sourceSlot === 50;
      });
      expect(await readiness()).toEqual([503, expect.objectContaining({ status: "source behind" })]);
      await until(async () => said.some(({ msg }) => msg.includes("behind our finalized slot")));
      upstream.emit([...slotEvents(1001, 1000, 2n), status(1001, "finalized")]);
      await until(async () => (await readiness())[0] === 200);
      expect(said.filter(({ msg }) => msg.includes("behind our finalized slot"))).toHaveLength(1);
    } finally {
      child.kill("SIGKILL");
      upstream.stop();
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    [["--follow", "grpc=http://x"], "--follow must be yellowstone=URL or rpc=URL"],
    [["--follow", "rpc=ftp://x"], "the URL of the node must begin with http:// or https://"],
    [["--follow", "rpc"], "the URL of the node is missing"],
    [["--follow", "rpc=http://x", "--program", "x"], "--program takes an address"],
    [["--follow", "yellowstone=http://x", "--tree", "x"], "--tree needs --follow rpc"],
    [["--follow"], "Option '--follow <value>' argument missing"],
    [["--follow=yellowstone=http://x", "--metrics-port=x"], "must be a port"],
    [["--max-stale-seconds", "0"], "--max-stale-seconds must be a number from 1 to 86400"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, stderr } = await runCommand(["serve", "--store", "sqlite:none", "--key", "k", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
