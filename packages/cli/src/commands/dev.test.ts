// The chain of `lamplight dev`: it moves, is the same for a seed, and leaves nothing behind.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@lamplight/client";
import { LivingChain } from "@lamplight/devchain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import { type RunningDev, startDev } from "../../test/run-dev.ts";
import { until } from "../../test/until.ts";

let folder: string;
let dev: RunningDev | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-dev-"));
  dev = null;
});
afterEach(async () => {
  await dev?.stop();
  rmSync(folder, { recursive: true });
});

const start = async (...args: readonly string[]): Promise<RunningDev> => {
  dev = await startDev(["--port", "0", ...args], { TMPDIR: folder });
  return dev;
};

const readyOf = async (
  api: string,
): Promise<{ follow: { consensus: string; confirmedSlot: number; finalizedSlot: number } }> =>
  (await (await fetch(`${api}/readyz`)).json()) as Awaited<ReturnType<typeof readyOf>>;

const burntTotal = async ({ call }: RunningDev): Promise<number> =>
  ((await call("searchAssets", { burnt: true, limit: 1 })).result as { total: number }).total;

describe("lamplight dev", () => {
  test("greets with an example that answers, moves slot by slot, finalizes, and removes its data", async () => {
    const running = await start("--slot-ms", "20");
    const { api, lines, call } = running;
    const client = createClient({ url: api, timeoutMs: 300_000 });
    const first = (await call("searchAssets", { limit: 1 })).slot;
    const burnt = await burntTotal(running);
    const total = (await client.searchAssets({ limit: 1 })).total;
    await client.waitForSlot(first + 60);
    await client.waitForSlot(first + 20, { commitment: "finalized" });
    await until(async () => (await burntTotal(running)) > burnt);
    await until(async () => (await client.searchAssets({ limit: 1 })).total > total);
    const text = lines.join("\n");
    expect(text).toMatch(/LAMPLIGHT v\S+ {2}ready in \d+ ms/u);
    expect(text).toContain("The finalized slot is 32 slots behind, as under TowerBFT");
    const example = /npx lamplight (call searchAssets .*)$/mu.exec(text)![1]!;
    const answer = await runCommand([...example.split(" "), "--json"]);
    expect(answer.exitCode).toBe(0);
    expect((JSON.parse(answer.stdout) as { total: number }).total).toBeGreaterThan(0);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await running.stop()).toBe(0);
    expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
  });

  test("with --methods das every compressed asset has a proof, slot by slot", async () => {
    const { api, lines, call, callDas } = await start("--slot-ms", "20", "--methods", "das");
    expect(lines.join("\n")).toContain(`DAS       ${api.replace("/v3/", "/das/")}\n`);
    const client = createClient({ url: api, timeoutMs: 300_000 });
    const from = (await call("searchAssets", { limit: 1 })).slot;
    const roots = new Set<string>();
    for (const after of [0, 40, 80]) {
      await client.waitForSlot(from + after);
      const { items } = await client.searchAssets({ compressed: true, burnt: false, limit: 100 });
      const { result } = await callDas("getAssetProofs", { ids: items.map(({ id }) => id) });
      // Some were burnt since they were listed.
      const proofs = Object.values(result as Record<string, { root: string } | null>);
      expect(proofs.filter((proof) => proof !== null).length).toBeGreaterThan(5);
      for (const proof of proofs) if (proof !== null) roots.add(proof.root);
    }
    expect(roots.size).toBeGreaterThan(2);
  });

  test.each([
    ["alpenglow", ["--alpenglow"], 1],
    ["towerbft", [], 32],
  ] as const)(
    "as a chain with %s it finalizes what is confirmed after as many slots",
    async (consensus, flags, apart) => {
      const { api } = await start("--slot-ms", "20", ...flags);
      const client = createClient({ url: api, timeoutMs: 300_000 });
      const { follow } = await readyOf(api);
      expect(follow.consensus).toBe(consensus);
      await client.waitForSlot(follow.confirmedSlot + 40);
      // Between the two events of a slot, one may be counted and the other not. A slow commit comes later.
      await until(async () => {
        const { confirmedSlot, finalizedSlot } = (await readyOf(api)).follow;
        return Math.abs(confirmedSlot - finalizedSlot - apart) <= 1;
      });
    },
  );

  test("has the wallets, assets and documents of its seed, every kind with its content", async () => {
    const { call } = await start("--seed", "7", "--slot-ms", "3600000");
    // The sample chain before it does not depend on the seed, and its last slot is the one before.
    const { slot } = await call("searchAssets", { limit: 1 });
    const living = new LivingChain({ seed: 7, firstSlot: slot });
    living.next();
    for (const id of living.living) {
      const { result } = await call("getAsset", { id });
      expect(result).toMatchObject({ id, burnt: false, content: { metadata: { name: expect.any(String) } } });
      expect((result as { content: { files: unknown[] } }).content.files).not.toEqual([]);
    }
    const { collection } = living.collections[0]!;
    const members = await call("searchAssets", { grouping: ["collection", collection] });
    expect((members.result as { total: number }).total).toBe(12);
  });

  test.each([
    [["--slot-ms", "0"], "--slot-ms must be a whole number from 1 to 3600000"],
    [["--seed", "x"], "--seed must be a whole number"],
    [["--methods", "dass"], "--methods must be one of das"],
    [["--documents-origin", "http://127.0.0.1:1"], "--documents-origin needs --rpc"],
    [["--rpc", "http://127.0.0.1:1", "--seed", "1"], "--seed and --rpc exclude each other"],
    [
      ["--rpc", "http://127.0.0.1:1", "--documents-origin", "http://10.0.0.1"],
      "takes an origin on this machine",
    ],
    [["--slots-ms", "5"], "did you mean --slot-ms?"],
  ])("%j is a wrong command line", async (args, reason) => {
    const { exitCode, stderr } = await runCommand(["dev", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
