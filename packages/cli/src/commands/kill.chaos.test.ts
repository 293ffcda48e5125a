// The process that follows is killed again and again, on many chains: while it starts, and before, within and after its
// commits. Each time, the store must be sound and hold what a clean run holds at that slot, row for row.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { FollowedChain, kill, type Running } from "../../test/followed-chain.ts";
import { until } from "../../test/until.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 3);
/** Chains in which the process is killed, and times in each. */
const seeds = Number(process.env["LAMPLIGHT_KILL_SEEDS"] ?? 2);
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 2);
/** From the last message to the kill, at most. */
const KILL_MS_MAX = 60;
/** From the start of a process to its kill, of those that are killed before they follow. */
const EARLY_KILL_MS_MAX = 800;
/** One kill with all its checks, on a busy machine. */
const KILL_SECONDS_MAX = 60;

class KillChaos {
  readonly #chain: FollowedChain;
  readonly #random: Random;

  constructor(chain: FollowedChain, seed: number) {
    this.#chain = chain;
    this.#random = new Random(seed, 400, 0);
  }

  async run(): Promise<void> {
    const { simulation, upstream } = this.#chain;
    for (let count = 0; count < kills; count += 1) {
      await this.#startAndKill();
      await this.#chain.expectCleanStore();
    }
    const { child } = await this.#subscribed(this.#start());
    upstream.emit(simulation.settle());
    await this.#storedAtFinalized();
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await this.#chain.finalizedSlot()).toBe(simulation.finalized);
    await this.#chain.expectCleanStore();
  }

  async #startAndKill(): Promise<void> {
    const random = this.#random;
    const running = this.#start();
    if (random.percent(20)) await sleep(random.below(EARLY_KILL_MS_MAX));
    else {
      await this.#subscribed(running);
      await this.#emitSome();
      if (random.percent(70)) await sleep(random.below(KILL_MS_MAX));
    }
    await kill(running);
    await until(() => this.#chain.upstream.subscribers === 0);
  }

  /** Follows next to others that serve, or does both. */
  #start(): Running {
    return this.#random.percent(65) ? this.#chain.follow() : this.#chain.serveAndFollow();
  }

  async #subscribed(running: Running): Promise<Running> {
    const { child, said } = running;
    await until(() => this.#chain.upstream.subscribers > 0 || child.exitCode !== null);
    expect([child.exitCode, said]).toEqual([null, said]);
    return running;
  }

  /** Steps of the chain, among them other blocks of a slot and streams that end; half the time until all is finalized. */
  async #emitSome(): Promise<void> {
    const { simulation, upstream } = this.#chain;
    const random = this.#random;
    for (let steps = random.between(1, 12); steps > 0; steps -= 1) {
      upstream.emit(simulation.next());
      if (random.percent(10)) upstream.emit(simulation.equivocate());
      if (random.percent(10)) {
        simulation.equivocate();
        upstream.cutOff();
      }
    }
    if (random.percent(50)) return;
    await this.#storedAtFinalized();
    upstream.emit(simulation.next());
  }

  #storedAtFinalized(): Promise<void> {
    const { finalized } = this.#chain.simulation;
    return until(async () => (await this.#chain.finalizedSlot()) === finalized);
  }
}

test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
  `killed at ${kills} moments of seed %i, it goes on where the store stands: nothing lost, nothing twice`,
  async (seed) => {
    onTestFailed(() => {
      const settings = `LAMPLIGHT_FORK_SEED=${seed} LAMPLIGHT_KILL_SEEDS=1 LAMPLIGHT_KILLS=${kills}`;
      console.error(`repeat with: ${settings} npx vitest run packages/cli/src/commands/kill.chaos.test.ts`);
    });
    const folder = mkdtempSync(join(tmpdir(), "lamplight-kills-"));
    const store = `sqlite:${join(folder, "index.db")}`;
    const chain = await FollowedChain.start({ store, clean: `sqlite:${join(folder, "clean.db")}`, seed });
    onTestFinished(async () => {
      await chain.stop();
      rmSync(folder, { recursive: true });
    });
    await new KillChaos(chain, seed).run();
  },
  60_000 + kills * KILL_SECONDS_MAX * 1000,
);
