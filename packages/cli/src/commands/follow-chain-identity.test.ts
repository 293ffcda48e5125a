// A store of one chain and a node of another: after a reset a local validator has a new chain, which begins below,
// reaches and passes the slot of the store.

import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { ChainSimulation } from "@lamplight/devchain";
import { RpcLedger, SimulatedHistory, SimulatedRpc } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FollowedChain } from "../../test/followed-chain.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { until } from "../../test/until.ts";

const [ours, others] = [5, 6];
const BLOCKS = 30;
/** A dozen commands, one after the other, on a busy machine. */
const COMMANDS_MS_MAX = 600_000;
const token = encodeAddress(programAddresses.token);

let folder: string;
let file: string;
const nodes: SimulatedRpc[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-chain-"));
  file = join(folder, "index.db");
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const node of nodes.splice(0)) await node.stop();
  rmSync(folder, { recursive: true });
});

const ledgerOf = (seed: number, blocks: number): RpcLedger => {
  const ledger = new RpcLedger(new ChainSimulation({ seed }));
  while (ledger.blocks(0, Infinity).length <= blocks) ledger.advance();
  ledger.settle();
  ledger.finalizeAll();
  return ledger;
};

const startNode = async (ledger: RpcLedger): Promise<{ node: SimulatedRpc; url: string }> => {
  const node = new SimulatedRpc({ ledger, seed: ours });
  nodes.push(node);
  return { node, url: `http://${await node.start()}` };
};

const follow = (url: string, store = file): readonly string[] =>
  `follow rpc ${url} --no-ws --poll-seconds 0.05 --program ${token} --store sqlite:${store}`.split(" ");

/** Follows until something holds, while the chain goes on, and ends. */
const followUntil = async (
  ledger: RpcLedger,
  holds: (said: readonly string[]) => boolean | Promise<boolean>,
): Promise<void> => {
  const { url } = await startNode(ledger);
  const child = startCommand(follow(url));
  children.push(child);
  const said: string[] = [];
  createInterface(child.stderr!).on("line", (line) => said.push(line));
  child.stdout!.resume();
  await until(() => {
    expect([child.exitCode, said]).toEqual([null, said]);
    ledger.pass(1);
    ledger.finalizeAll();
    return holds(said);
  });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
};

interface Content {
  readonly genesisHash: string | null;
  readonly watermark: unknown;
  readonly accounts: unknown;
}

/** Null while another process writes the store. */
const contentOf = async (store = file): Promise<Content> => {
  const opened = openSqliteStore({ file: store, mode: "write" });
  try {
    return {
      genesisHash: await opened.readGenesisHash(),
      watermark: await opened.readWatermark(),
      accounts: await opened.readAccountPage(null, 1000),
    };
  } finally {
    await opened.close();
  }
};

/** A store as a snapshot leaves it: at a block, of a chain whose genesis it does not know. */
const loadFrom = async (ledger: RpcLedger, blockhash: string | null): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  const accounts = [...ledger.stateAt(ledger.final.slot).values()].filter(
    ({ programOwner }) => encodeAddress(programOwner) === token,
  );
  await createIndexer(store).applyAccounts(accounts, { slot: ledger.final.slot, blockhash });
  await store.writeCoverage({ kind: "filtered", programs: [token], owners: [], mints: [], collections: [] });
  await store.close();
};

const expectRefused = async (args: readonly string[], reason: string, store = file): Promise<void> => {
  const before = await contentOf(store);
  const { exitCode, stdout, stderr } = await runCommand(args);
  expect([stdout + stderr, exitCode]).toEqual([expect.stringContaining(reason), 1]);
  expect(await contentOf(store)).toEqual(before);
};

const serve = (url: string): readonly string[] =>
  `serve --key k --port 0 --follow rpc=${url} --store sqlite:${file}`.split(" ");

describe("a store that was filled by following", () => {
  test(
    "is refused by every way of following a node whose ledger was reset, below, at and above its slot",
    async () => {
      const ledger = ledgerOf(ours, BLOCKS);
      await followUntil(ledger, (said) => said.some((line) => line.startsWith("filled as of slot")));
      const { genesisHash } = await contentOf();
      expect(genesisHash).toBe(ledger.genesisHash);
      const below = await startNode(ledgerOf(others, 0));
      const above = await startNode(ledgerOf(others, 4 * BLOCKS));
      const backup = join(folder, "backup.db");
      expect(await runCommand(["backup", "--store", `sqlite:${file}`, "--to", backup])).toMatchObject({
        exitCode: 0,
      });
      const copy = join(folder, "copy.db");
      expect(await runCommand(["copy", "--from", `sqlite:${file}`, "--to", `sqlite:${copy}`])).toMatchObject({
        exitCode: 0,
      });
      const reason = "this is another chain: its genesis hash";
      await expectRefused(follow(below.url), reason);
      await expectRefused(follow(above.url), reason);
      await expectRefused(serve(below.url), reason);
      for (const store of [backup, copy]) await expectRefused(follow(below.url, store), reason, store);
    },
    COMMANDS_MS_MAX,
  );
});

describe("a store that does not know its chain", () => {
  test(
    "learns it from a node that has its block, and goes on from there",
    async () => {
      const ledger = ledgerOf(ours, BLOCKS);
      await loadFrom(ledger, ledger.final.blockhash);
      const { slot } = ledger.final;
      const reader = openSqliteReader({ file });
      await followUntil(ledger, async () => {
        const view = await reader.openView("finalized");
        view.close();
        return view.slot > slot;
      });
      reader.close();
      expect((await contentOf()).genesisHash).toBe(ledger.genesisHash);
      expect(await runCommand(["verify", "--store", `sqlite:${file}`])).toMatchObject({ exitCode: 0 });
    },
    COMMANDS_MS_MAX,
  );

  test(
    "is not followed from a node that lacks its block, has another one, or does not say",
    async () => {
      const ledger = ledgerOf(ours, BLOCKS);
      await loadFrom(ledger, ledger.final.blockhash);
      const below = await startNode(ledgerOf(others, 0));
      const noBlock = `the node has no block at its slot ${ledger.final.slot}`;
      await expectRefused(follow(below.url), noBlock);
      await expectRefused(serve(below.url), noBlock);
      const fork = ledgerOf(others, 4 * BLOCKS);
      fork.block = () => ({ ...fork.tip, blockhash: token });
      await expectRefused(follow((await startNode(fork)).url), "this is another chain: its block at slot");
      const silent = await startNode(ledger);
      for (const refusal of [-32001, 403]) {
        silent.node.refusals.set("getBlock", refusal);
        await expectRefused(follow(silent.url), noBlock);
      }
    },
    COMMANDS_MS_MAX,
  );

  test(
    "nor, without a blockhash, from a node that has not reached its slot",
    async () => {
      const ledger = ledgerOf(ours, BLOCKS);
      await loadFrom(ledger, null);
      const below = await startNode(ledgerOf(others, 0));
      await expectRefused(follow(below.url), "its finalized slot is");
    },
    COMMANDS_MS_MAX,
  );
});

describe("the RPC node that repairs a stream", () => {
  test(
    "has to be of the store's chain, which the store learns from it",
    async () => {
      const store = `sqlite:${file}`;
      const chain = await FollowedChain.start({
        store,
        clean: `sqlite:${join(folder, "clean.db")}`,
        seed: ours,
      });
      const same = new SimulatedHistory(chain.simulation);
      const other = new SimulatedHistory(new ChainSimulation({ seed: others }));
      try {
        const [sameUrl, otherUrl] = [await same.start(), await other.start()];
        const args = ["follow", "yellowstone", chain.upstreamUrl, "--token", "secret", "--store", store];
        await expectRefused([...args, "--repair-rpc", otherUrl], "this is another chain: its block at slot");
        const running = chain.follow("--repair-rpc", sameUrl);
        await until(() => chain.upstream.subscribers > 0 || running.child.exitCode !== null);
        running.child.kill("SIGTERM");
        await once(running.child, "exit");
        expect((await contentOf()).genesisHash).toBe(chain.simulation.genesis.blockhash);
        await expectRefused([...args, "--repair-rpc", otherUrl], "this is another chain: its genesis hash");
      } finally {
        same.stop();
        other.stop();
        await chain.stop();
      }
    },
    COMMANDS_MS_MAX,
  );
});
