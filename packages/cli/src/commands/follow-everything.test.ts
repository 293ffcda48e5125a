// A local node followed without naming anything: every answer about an account is the node's own.

import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { decodeAddress, encodeAddress, findProgramAddress, programAddresses } from "@lamplight/codecs";
import type { Account, Coverage } from "@lamplight/core";
import { BubblegumTree, ChainSimulation } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startCommand } from "../../test/run-command.ts";
import { postCall } from "../../test/serving.ts";
import { until } from "../../test/until.ts";

const SEED = 12;
/** One start with all its questions, on a busy machine. */
const MS_MAX = 300_000;
const loaders = {
  bpf1: "BPFLoader1111111111111111111111111111111111",
  bpf2: "BPFLoader2111111111111111111111111111111111",
  upgradeable: "BPFLoaderUpgradeab1e11111111111111111111111",
  v4: "LoaderV411111111111111111111111111111111111",
} as const;
const system = encodeAddress(programAddresses.system);
const tree = encodeAddress(new BubblegumTree(1).address);
const named = (fill: number): string => encodeAddress(new Uint8Array(32).fill(fill));

let folder: string;
let file: string;
let ledger: RpcLedger;
let node: SimulatedRpc;
let url: string;
let chain: NodeJS.Timeout;
let said: string[];
let child: ChildProcess;

const account = (address: string, owner: string, bytes = 0, executable = false): Account => ({
  address: decodeAddress(address),
  programOwner: decodeAddress(owner),
  lamports: 5_000_000n,
  executable,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(bytes).fill(2),
  slot: 0,
  writeVersion: 0,
});

/** A program of each loader, as it lists them, each with an account, and some that no program owns. */
const deployed: readonly Account[] = [
  account(named(11), loaders.bpf1, 10, true),
  account(named(12), loaders.bpf2, 10, true),
  account(named(13), loaders.upgradeable, 36),
  account(named(14), loaders.v4, 60),
  account(named(15), encodeAddress(programAddresses.nativeLoader), 14, true),
  ...[11, 12, 13, 14, 15].map((program) => account(named(program + 100), named(program), program)),
  account(named(21), system),
  account(named(22), encodeAddress(programAddresses.vote), 3762),
  account(named(23), "Feature111111111111111111111111111111111111", 9),
];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-everything-"));
  file = join(folder, "index.db");
  ledger = new RpcLedger(new ChainSimulation({ seed: SEED, isChaotic: true }), [tree]);
  for (let block = 0; block < 20; block += 1) ledger.advance();
  ledger.settle();
  ledger.write([...deployed, treeAccount(), ...programsOf(ledger)]);
  node = new SimulatedRpc({ ledger, seed: SEED });
  url = await node.start();
  chain = setInterval(() => {
    node.emit(ledger.pass(1));
    ledger.finalizeAll();
  }, 20);
});
afterEach(async () => {
  clearInterval(chain);
  child.kill("SIGKILL");
  await node.stop();
  rmSync(folder, { recursive: true });
});

/** The tree of the chain as Bubblegum makes it: its authority is the tree's own config address. */
const treeAccount = (): Account => {
  const { address } = findProgramAddress([decodeAddress(tree)], programAddresses.bubblegum);
  const of = account(tree, encodeAddress(programAddresses.splAccountCompression), 80);
  of.data.fill(0);
  of.data.set([1, 0]);
  of.data.set(address, 10);
  return of;
};

/** The accounts of those programs of the sample chain that have none. */
const programsOf = (of: RpcLedger): readonly Account[] => {
  const state = of.stateAt(of.tip.slot);
  const owners = new Set([...state.values()].map(({ programOwner }) => encodeAddress(programOwner)));
  return [...owners]
    .filter((owner) => !state.has(owner) && !owner.endsWith("1111"))
    .map((owner) => account(owner, loaders.bpf2, 10, true));
};

/** Serves while it follows; resolves with its URL once it is ready. */
const serve = async (...more: readonly string[]): Promise<string> => {
  const args = `serve --key k --port 0 --store sqlite:${file} --follow rpc=http://${url}`.split(" ");
  child = startCommand([...args, "--ws", `ws://${url}`, ...more]);
  said = [];
  createInterface(child.stdout!).on("line", (line) => said.push(line));
  createInterface(child.stderr!).on("line", (line) => said.push(line));
  let base: string | null = null;
  await until(async () => {
    expect([child.exitCode, said]).toEqual([null, said]);
    const line = said.find((each) => each.includes('"msg":"serving"'));
    if (line === undefined) return false;
    base = (JSON.parse(line) as { url: string }).url;
    return (await fetch(`${base}/readyz`)).status === 200;
  });
  return base!;
};

const stop = async (): Promise<void> => {
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
};

interface Answer {
  readonly result?: { readonly context: { readonly slot: number }; readonly value: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

const call = async (base: string, method: string, params: unknown): Promise<Answer> => {
  // As Solana's clients: a missing account is a null value.
  const response = await postCall(base, method, params, { "solana-client": "js/2" });
  return (await response.json()) as Answer;
};

const infoOf = async (base: string, address: string): Promise<unknown> => {
  const params = [address, { encoding: "base64", commitment: "confirmed" }];
  const { result, error } = await call(base, "getAccountInfo", params);
  return error === undefined ? result?.value : error;
};

const coverageOf = async (): Promise<Coverage> => {
  const store = openSqliteStore({ file, mode: "write" });
  const coverage = await store.readCoverage();
  await store.close();
  return coverage;
};

const whole: Coverage = { kind: "whole" };

/** The runtime writes them in every slot. */
const isMoving = (address: string): boolean => address.startsWith("Sysvar");

const expectSameAnswers = async (base: string, more: readonly string[] = []): Promise<void> => {
  const addresses = [...ledger.stateAt(ledger.tip.slot).keys()].filter((each) => !isMoving(each));
  expect(addresses.length).toBeGreaterThan(50);
  for (const address of [...addresses, ...more]) {
    const expected = await infoOf(`http://${url}`, address);
    expect([address, await infoOf(`${base}/v3/k`, address)]).toEqual([address, expected]);
  }
};

describe("following everything that a node lists", () => {
  test(
    "answers as the node does, of every account and of none, also of what is made, closed and deployed later",
    async () => {
      const base = await serve("--rescan-seconds", "3600");
      const api = `${base}/v3/k`;
      await expectSameAnswers(base, [named(99)]);
      expect(await infoOf(api, named(99))).toBe(null);
      expect((await call(api, "getLargestAccounts", [])).error).toBe(undefined);
      // Trees are found, too, and their transactions listed.
      const { result } = await call(api, "searchAssets", { compressed: true });
      expect(result).toMatchObject({
        total: expect.any(Number) as number,
        items: expect.arrayContaining([expect.anything()]) as unknown,
      });
      // The node notifies followers of the System program of closed accounts: no rescan is due for an hour.
      node.emit(ledger.write([{ ...deployed[5]!, lamports: 0n }, account(named(24), system)]));
      await until(async () => (await infoOf(api, named(111))) === null);
      await until(async () => (await infoOf(api, named(24))) !== null);
      node.emit(ledger.write([account(named(16), loaders.upgradeable, 36)]));
      node.emit(ledger.write([account(named(116), named(16), 7)]));
      await until(async () => (await infoOf(api, named(116))) !== null);
      node.emit(ledger.write([account(named(117), named(16), 7)]));
      await until(async () => (await infoOf(api, named(117))) !== null);
      await expectSameAnswers(base, [named(111)]);
      await stop();
      expect(await coverageOf()).toEqual(whole);
    },
    MS_MAX,
  );

  test(
    "goes on at the next start, with what was closed and deployed meanwhile, and finds owners that are no programs",
    async () => {
      await serve();
      await stop();
      ledger.write([
        { ...deployed[5]!, lamports: 0n },
        account(named(21), named(77)),
        account(named(17), loaders.bpf2, 10, true),
        account(named(118), named(17), 8),
      ]);
      node.hasSocket = false;
      const base = await serve("--poll-seconds", "0.2");
      await expectSameAnswers(base, [named(111)]);
      await stop();
      expect(await coverageOf()).toEqual(whole);
    },
    MS_MAX,
  );

  test(
    "says at the start what a node does not list, and covers the rest",
    async () => {
      node.unlistedPrograms.add(system).add(named(12));
      let base = await serve();
      const hints = said.filter((line) => line.includes("not covered"));
      expect(hints).toEqual([
        expect.stringContaining("does not list the System program"),
        expect.stringContaining(`does not list program ${named(12)}`),
      ]);
      expect(await infoOf(`${base}/v3/k`, named(111))).not.toBe(null);
      for (const address of [named(21), named(112), named(99)]) {
        expect(await infoOf(`${base}/v3/k`, address)).toMatchObject({
          message: expect.stringContaining("Outside what this store covers") as string,
        });
      }
      await stop();
      const coverage = (await coverageOf()) as Extract<Coverage, { kind: "filtered" }>;
      expect(coverage).toMatchObject({ kind: "filtered", everyProgram: true });
      expect(coverage.programs).toContain(named(11));
      for (const program of [system, named(12)]) expect(coverage.programs).not.toContain(program);
      // Programs that the node lists at the next start are covered from then on.
      node.unlistedPrograms.clear();
      base = await serve("--rescan-seconds", "0.2");
      await until(async () => (await infoOf(`${base}/v3/k`, named(99))) === null);
      await expectSameAnswers(base);
      await stop();
      expect(await coverageOf()).toEqual(whole);
    },
    MS_MAX,
  );

  test(
    "ends where a node lists nothing at all",
    async () => {
      node.missingMethods.add("getProgramAccounts");
      const args = `follow rpc http://${url} --ws ws://${url} --store sqlite:${file}`.split(" ");
      child = startCommand(args);
      said = [];
      createInterface(child.stderr!).on("line", (line) => said.push(line));
      expect(await once(child, "exit")).toEqual([1, null]);
      await until(() => said.some((line) => line.includes("does not list any program")));
    },
    MS_MAX,
  );
});
