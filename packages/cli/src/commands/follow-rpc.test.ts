// The command as a process, against a real JSON-RPC and WebSocket server on loopback.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { ChainSimulation } from "@lamplight/devchain";
import { noFaults, RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  clock,
  FollowedNode,
  nodeKey,
  programs,
  readiness,
  type Readiness,
  targets,
} from "../../test/followed-node.ts";
import { runCommand } from "../../test/run-command.ts";
import { postCall } from "../../test/serving.ts";
import { until } from "../../test/until.ts";

const SEED = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 5);
const core = encodeAddress(programAddresses.mplCore);
const nobody = encodeAddress(new Uint8Array(32).fill(3));

interface Answer {
  readonly result?: { readonly context: { readonly slot: number }; readonly value: unknown } | null;
  readonly error?: { readonly message: string };
}

let chain: FollowedNode;
beforeEach(async () => {
  chain = await FollowedNode.start(SEED);
});
afterEach(() => chain.end());

/** Another chain that has a block at every slot. */
class OtherLedger extends RpcLedger {
  override block(slot: number): RpcLedger["tip"] {
    return { ...this.tip, slot, blockhash: encodeAddress(new Uint8Array(32).fill(7)) };
  }
}

const serve = (): readonly string[] => [
  ..."serve --key k --port 0 --follow rpc --store".split(" "),
  `sqlite:${chain.file}`,
];

describe("lamplight follow rpc", () => {
  test("serves while it follows, fills first, and answers processed with the confirmed slot", async () => {
    const child = chain.start([...serve(), ...targets, "--account", nobody, "--rescan-seconds", "0.2"]);
    await until(() => chain.served !== undefined || child.exitCode !== null);
    const { url: base } = JSON.parse(chain.served!) as { url: string };
    const ready = async (): Promise<Readiness> => {
      const { follow } = (await (await fetch(`${base}/v3/k/readyz`)).json()) as { follow: Readiness };
      return follow;
    };
    await chain.settle(ready);
    const [known] = [...chain.ledger.stateAt(chain.ledger.tip.slot)].find(([, { programOwner }]) =>
      programs.includes(encodeAddress(programOwner)),
    )!;
    const call = async (address: string, commitment: string): Promise<Answer> => {
      const params = [address, { commitment, encoding: "base64" }];
      const response = await postCall(`${base}/v3/k`, "getAccountInfo", params);
      return (await response.json()) as Answer;
    };
    const ask = async (commitment: string): Promise<{ slot: number; value: unknown }> => {
      const { context, value } = (await call(known, commitment)).result!;
      return { slot: context.slot, value };
    };
    // The chain stands still: what was reported last arrives.
    await until(async () => (await ask("confirmed")).slot === chain.ledger.blockAt("confirmed", 1).slot);
    const confirmed = await ask("confirmed");
    expect(await ask("processed")).toEqual(confirmed);
    const finalized = await ask("finalized");
    expect(finalized.value).toEqual(confirmed.value);
    expect(finalized.slot).toBeLessThanOrEqual(confirmed.slot);
    // The store knows that an address followed by name has no account; other addresses are outside its coverage.
    expect((await call(nobody, "confirmed")).result).toBe(null);
    expect((await call(encodeAddress(new Uint8Array(32).fill(4)), "confirmed")).error?.message).toContain(
      "Outside what this store covers",
    );
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(chain.said.join("\n")).not.toContain(nodeKey);
  });

  test("says that it loads while it fills, and obeys a signal in the meantime", async () => {
    // No scan comes to an end.
    chain.node.faults = { ...noFaults, truncated: 100 };
    const child = chain.start([...serve(), ...targets]);
    await until(() => chain.served !== undefined || child.exitCode !== null);
    const { url: base } = JSON.parse(chain.served!) as { url: string };
    const ready = await fetch(`${base}/v3/k/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: "loading", follow: expect.objectContaining({ finalizedSlot: null }) as unknown },
    ]);
    const response = await postCall(`${base}/v3/k`, "getAccountInfo", [clock]);
    expect(((await response.json()) as Answer).error?.message).toContain("loading");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("without WebSockets it reads again and again", async () => {
    chain.node.hasSocket = false;
    const child = chain.startFollow("--poll-seconds", "0.05", "--metrics-port", "0");
    const metrics = await chain.metricsUrl();
    await chain.settle(() => readiness(metrics));
    expect(await readiness(metrics)).toMatchObject({ status: "polling" });
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await chain.storedAccounts()).toEqual(chain.chainAccounts());
  });

  test("makes a change of the coverage that waits", async () => {
    const follow = (): ChildProcess => chain.startFollow("--poll-seconds", "0.05", "--metrics-port", "0");
    const child = follow();
    const metrics = await chain.metricsUrl();
    const commits = async (): Promise<number> => {
      const text = await (await fetch(metrics)).text();
      return Number(/^lamplight_follow_finalized_commits_total (\d+)/mu.exec(text)?.[1] ?? 0);
    };
    await until(async () => (await commits()) > 2);
    child.kill("SIGINT");
    await once(child, "exit");
    const store = ["--store", `sqlite:${chain.file}`];
    const { exitCode } = await runCommand(["coverage", "add", ...store, "--program", core]);
    expect(exitCode).toBe(0);
    follow();
    await until(() => chain.said.some((line) => line.includes(`program ${core} is covered`)));
  });

  test("refuses in one sentence what cannot work, and reports no key", async () => {
    const store = ["--store", `sqlite:${chain.file}`];
    for (const [args, more, message, code] of [
      [[...store], {}, "the URL of the node is missing", 2],
      [[`ftp://u:${nodeKey}@x`, ...store], {}, "must begin with http:// or https://", 2],
      [[`http://${chain.url}`], {}, "--store is missing", 2],
      [[`http://${chain.url}`, ...store, "--program", "x"], {}, "--program takes an address", 2],
      [[`http://${chain.url}`, ...store, "--ws", "http://x"], {}, "must begin with ws:// or wss://", 2],
      [[`http://${chain.url}0`, ...store, ...targets, "--no-ws"], {}, "refused the request: HTTP 401", 1],
    ] as const) {
      const { exitCode, stdout, stderr } = await runCommand(["follow", "rpc", ...args], more);
      expect([stderr, exitCode]).toEqual([expect.stringContaining(message), code]);
      expect(stdout + stderr).not.toContain(nodeKey);
    }
  });

  test("stays on its chain: another block where the store stands is refused", async () => {
    const child = chain.startFollow("--metrics-port", "0");
    const metrics = await chain.metricsUrl();
    await chain.settle(() => readiness(metrics));
    child.kill("SIGTERM");
    await once(child, "exit");
    const finalized = openSqliteStore({ file: chain.file, mode: "write" });
    const { slot } = (await finalized.readWatermark())!;
    await finalized.close();
    const otherLedger = new OtherLedger(new ChainSimulation({ seed: SEED }), []);
    while (otherLedger.final.slot < slot) otherLedger.advance();
    const other = new SimulatedRpc({ ledger: otherLedger, seed: SEED });
    const otherUrl = await other.start();
    const { exitCode, stderr } = await runCommand([
      "follow",
      "rpc",
      `http://${otherUrl}`,
      "--no-ws",
      "--store",
      `sqlite:${chain.file}`,
    ]);
    await other.stop();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("this is another chain")]);
  });
});
