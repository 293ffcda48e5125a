// `lamplight follow rpc` is killed and started again, and ends with the chain's state.

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { noFaults, type RpcFaults } from "@lamplight/devchain/upstream";
import { afterEach, describe, expect, onTestFailed, test } from "vitest";
import { declaredMetrics, isOfRpc, namedMetrics } from "../../test/deploy-metrics.ts";
import { FollowedNode, nodeKey, readiness } from "../../test/followed-node.ts";
import { until } from "../../test/until.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 5);
/** Chains in which the process is killed, and times in each. */
const killedSeeds = Number(process.env["LAMPLIGHT_KILL_SEEDS"] ?? 2);
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 2);
/** One kill with all its checks, on a machine with many times the load. */
const KILL_SECONDS_MAX = 300;
/** From the start to the kill, at most: a process needs about half of it to begin. */
const KILL_MS_MAX = 1200;

const troubles: RpcFaults = {
  ...noFaults,
  limited: 3,
  serverError: 3,
  reset: 3,
  stale: 10,
  missing: 5,
  late: 10,
  cut: 1,
};

let chain: FollowedNode;
afterEach(() => chain.end());

describe("lamplight follow rpc", () => {
  test.each(Array.from({ length: killedSeeds }, (_, index) => firstSeed + index))(
    `fills an empty store, is killed at ${kills} moments of seed %i, and ends with the chain's state`,
    async (seed) => {
      chain = await FollowedNode.start(seed);
      onTestFailed(() => {
        const settings = `LAMPLIGHT_FORK_SEED=${seed} LAMPLIGHT_KILL_SEEDS=1 LAMPLIGHT_KILLS=${kills}`;
        console.error(
          `repeat with: ${settings} npx vitest run packages/cli/src/commands/follow-rpc-killed.test.ts`,
        );
        console.error(chain.said.slice(-10).join("\n"));
      });
      const random = new Random(seed, 700, 0);
      chain.node.faults = troubles;
      for (let kill = 0; kill < kills; kill += 1) {
        const child = chain.startFollow();
        await sleep(random.below(KILL_MS_MAX));
        // Also during a first filling, a slot, a commit.
        const isFilled = (): boolean => chain.said.some((line) => line.startsWith("filled as of slot"));
        if (random.percent(50)) await until(() => isFilled() || child.exitCode !== null);
        expect(child.exitCode).toBe(null);
        child.kill("SIGKILL");
        await once(child, "exit");
        await chain.expectWhole();
      }
      const child = chain.startFollow("--metrics-port", "0");
      const metrics = await chain.metricsUrl();
      await chain.settle(() => readiness(metrics));
      const text = await (await fetch(metrics)).text();
      expect(text).toMatch(/lamplight_follow_rescan_age_seconds \d/u);
      const declared = declaredMetrics(text);
      expect([...namedMetrics].filter((name) => isOfRpc(name) && !declared.has(name))).toEqual([]);
      expect(text).toMatch(/lamplight_follow_lag_slots\{source="rpc",commitment="confirmed"\} \d/u);
      // A WebSocket that was lost just now is had again after a while; until then the node is polled.
      await until(async () => {
        chain.node.emit(chain.ledger.pass(1));
        return (await readiness(metrics)).status === "listening";
      });
      // Three rounds of 5 seconds, or more where reading takes long.
      expect((await readiness(metrics)).rescan.ageSecondsMax).toBeGreaterThanOrEqual(15);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(await chain.storedAccounts()).toEqual(chain.chainAccounts());
      await chain.expectWhole();
      expect(chain.said.join("\n")).toContain("following http://127.0.0.1:");
      expect(chain.said.join("\n") + text).not.toContain(nodeKey);
    },
    (kills + 1) * KILL_SECONDS_MAX * 1000,
  );
});
