// `lamplight serve --follow` as a process: three commitments over HTTP while the chain moves.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
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

describe("lamplight serve --follow", () => {
  test("answers each commitment from its own slot, tells a gap, and ends well", async () => {
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
      const url = await new Promise<string>((resolve, reject) => {
        createInterface(child.stdout!).on("line", (line) => {
          const entry = JSON.parse(line) as { msg?: string; url: string };
          if (entry.msg === "serving") resolve(entry.url);
        });
        child.once("exit", (code) => reject(new Error(`ended with ${code} before it served`)));
      });
      const ask = async (commitment: string): Promise<string> => {
        const params = [encodeAddress(address), { commitment }];
        const response = await fetch(`${url}/v3/k`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params }),
        });
        const { result } = (await response.json()) as {
          result: { context: { slot: number }; value: { lamports: number } };
        };
        return `${commitment} ${result.context.slot} ${result.value.lamports}`;
      };
      const readiness = async (): Promise<{ status: string; follow: { status: string } }> =>
        (await fetch(`${url}/readyz`)).json() as Promise<{ status: string; follow: { status: string } }>;
      await until(async () => upstream.subscribers === 1);
      upstream.tell([...slotEvents(101, ROOT, 2n), ...slotEvents(102, 101, 3n), ...slotEvents(103, 102, 4n)]);
      upstream.tell([status(102, "confirmed"), status(101, "finalized")]);
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
      upstream.tell([...slotEvents(106, 105, 9n), status(106, "confirmed")]);
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
    [["--follow", "grpc=http://x"], "--follow must be yellowstone=URL or rpc=URL"],
    [["--follow", "rpc=ftp://x"], "the URL of the node must begin with http:// or https://"],
    [["--follow", "rpc"], "the URL of the node is missing"],
    [["--follow", "rpc=http://x", "--program", "x"], "--program takes an address"],
    [["--follow", "yellowstone=http://x", "--tree", "x"], "--tree belongs to --follow rpc"],
    [["--follow"], "--follow is wanted once, with a value"],
    [["--metrics-port", "1"], "--metrics-port belongs to --follow"],
    [["--follow=yellowstone=http://x", "--metrics-port=x"], "must be a port"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, stderr } = await runCommand(["serve", "--store", "sqlite:none", "--key", "k", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
};
