// A chain behind a real JSON-RPC and WebSocket server on loopback, and processes of ours that follow it into a store.

import { type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { BubblegumTree, ChainSimulation } from "@lamplight/devchain";
import { noFaults, RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { expect } from "vitest";
import { runCommand, startCommand } from "./run-command.ts";
import { until } from "./until.ts";

const BLOCK_MS = 40;
/** The node takes it in its URL. */
export const nodeKey = "do-not-tell-7f3a";
export const clock = "SysvarC1ock11111111111111111111111111111111";
const tree = encodeAddress(new BubblegumTree(1).address);
export const programs: readonly string[] = [
  programAddresses.token,
  programAddresses.token2022,
  programAddresses.tokenMetadata,
].map((program) => encodeAddress(program));
/** Flags that name what is followed. */
export const targets: readonly string[] = [
  ...programs.flatMap((program) => ["--program", program]),
  "--tree",
  tree,
];

export interface Readiness {
  readonly status: string;
  readonly finalizedSlot: number | null;
  readonly confirmedSlot: number | null;
  readonly rescan: { readonly slot: number; readonly ageSeconds: number; readonly ageSecondsMax: number };
}

export class FollowedNode {
  readonly #folder = mkdtempSync(join(tmpdir(), "lamplight-follow-rpc-"));
  /** Path of the store. */
  readonly file: string = join(this.#folder, "index.db");
  readonly ledger: RpcLedger;
  readonly node: SimulatedRpc;
  /** Host, port and key. */
  readonly url: string;
  /** Lines of all processes. */
  readonly said: string[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #chain: NodeJS.Timeout;

  private constructor(ledger: RpcLedger, node: SimulatedRpc, url: string) {
    this.ledger = ledger;
    this.node = node;
    this.url = url;
    this.#chain = setInterval(() => node.emit(ledger.advance()), BLOCK_MS);
  }

  static async start(seed: number): Promise<FollowedNode> {
    const ledger = new RpcLedger(new ChainSimulation({ seed, isChaotic: true }), [tree]);
    const node = new SimulatedRpc({ ledger, seed, key: nodeKey });
    return new FollowedNode(ledger, node, await node.start());
  }

  async end(): Promise<void> {
    clearInterval(this.#chain);
    for (const child of this.#children) child.kill("SIGKILL");
    await this.node.stop();
    rmSync(this.#folder, { recursive: true });
  }

  start(args: readonly string[]): ChildProcess {
    const child = startCommand(args, {
      LAMPLIGHT_RPC_URL: `http://${this.url}`,
      LAMPLIGHT_RPC_WS_URL: `ws://${this.url}`,
    });
    this.#children.push(child);
    for (const output of [child.stdout!, child.stderr!])
      createInterface(output).on("line", (line) => this.said.push(line));
    return child;
  }

  startFollow(...more: readonly string[]): ChildProcess {
    const store = ["--store", `sqlite:${this.file}`];
    return this.start(["follow", "rpc", ...store, ...targets, "--rescan-seconds", "0.2", ...more]);
  }

  async metricsUrl(): Promise<string> {
    const text = "metrics: ";
    const find = (): string | undefined => this.said.findLast((line) => line.startsWith(text));
    await until(() => find() !== undefined);
    return find()!.slice(text.length);
  }

  /** The log line of a server that serves. */
  get served(): string | undefined {
    return this.said.find((line) => line.includes('"msg":"serving"'));
  }

  /** The chain stands still but for the clock until what it was is read and in the store. */
  async settle(read: () => Promise<Readiness>): Promise<void> {
    const { ledger, node } = this;
    await until(async () => (await read()).finalizedSlot !== null);
    clearInterval(this.#chain);
    node.faults = noFaults;
    node.emit(ledger.settle());
    node.emit(ledger.pass(1));
    const settled = ledger.tip.slot;
    const pass = async (): Promise<Readiness> => {
      node.emit(ledger.pass(1));
      await sleep(20);
      return read();
    };
    await until(async () => (await pass()).rescan.slot >= settled);
    // Data that was read at an already reported slot arrives with the next slot.
    const last = ledger.tip.slot;
    ledger.finalizeAll();
    await until(async () => {
      const { finalizedSlot } = await pass();
      ledger.finalizeAll();
      return (finalizedSlot ?? 0) > last;
    });
  }

  /**
   * Tables, accounts, assets and search agree, or there is no store yet, or it is not filled. It is at a block that is
   * final, and holds nothing that never was, or is newer.
   */
  async expectWhole(): Promise<void> {
    const { exitCode, stdout, stderr } = await runCommand(["verify", "--store", `sqlite:${this.file}`]);
    const verdict = exitCode === 0 ? stdout : stderr;
    expect(verdict).toMatch(exitCode === 0 ? /: sound/u : /does not exist|still loading/u);
    if (exitCode !== 0) return;
    const { ledger } = this;
    const store = openSqliteStore({ file: this.file, mode: "write" });
    try {
      const watermark = await store.readWatermark();
      // Filled in part: no one is answered from it.
      if (watermark === null) return;
      const { slot } = watermark;
      expect(ledger.block(slot)).toBeDefined();
      expect(slot).toBeLessThanOrEqual(ledger.final.slot);
      const states = new Set(ledger.blocks(0, slot).flatMap(({ writes }) => writes.map(contentOf)));
      for (const { current } of await store.readAccountPage(null, 1000))
        if (current.lamports > 0n) expect(states).toContain(contentOf(current));
    } finally {
      await store.close();
    }
  }

  async storedAccounts(): Promise<readonly string[]> {
    const store = openSqliteStore({ file: this.file, mode: "write" });
    try {
      const states = await store.readAccountPage(null, 1000);
      return states
        .map(({ current }) => current)
        .filter(({ lamports, address }) => lamports > 0n && encodeAddress(address) !== clock)
        .map(contentOf)
        .toSorted();
    } finally {
      await store.close();
    }
  }

  chainAccounts(): readonly string[] {
    const { ledger } = this;
    return [...ledger.stateAt(ledger.tip.slot)]
      .filter(
        ([address, { programOwner }]) => address === tree || programs.includes(encodeAddress(programOwner)),
      )
      .map(([, account]) => contentOf(account))
      .toSorted();
  }
}

const contentOf = ({ address, lamports, programOwner, data }: Account): string =>
  [encodeAddress(address), lamports, encodeAddress(programOwner), Buffer.from(data).toString("base64")].join(
    " ",
  );

export const readiness = async (metrics: string): Promise<Readiness> =>
  (await fetch(metrics.replace("/metrics", "/readyz"))).json() as Promise<Readiness>;
