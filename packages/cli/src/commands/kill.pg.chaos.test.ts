// Writers, servers and the database are killed at random moments while real calls run: every answer is right for the
// slot it names, a refusal is a 503, and everything comes back by itself or with a new process in the old one's place.

import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from "vitest";
import { FollowedChain, kill, type Running, untilLogged } from "../../test/followed-chain.ts";
import { HttpLoad } from "../../test/http-load.ts";
import { readinessOf } from "../../test/serving.ts";
import { until } from "../../test/until.ts";
import { ChainModel } from "../../../indexer/test/chain-model.ts";

const firstSeed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);
/** Chains, and things killed next to each. */
const seeds = Number(process.env["LAMPLIGHT_KILL_SEEDS"] ?? 1);
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 3);
const NODES = 2;
const CALLERS = 4;
/** The chain moves like a real one, or four times as fast where a number of seeds is asked for. */
const SLOT_MS = process.env["LAMPLIGHT_KILL_SEEDS"] === undefined ? 400 : 100;
/** Calls are counted this long after everything is back. */
const CALM_MS = 1000;

interface ServingNode {
  readonly process: Running;
  readonly url: string;
}

class KillChaos {
  readonly #postgres: TestPostgres;
  readonly #chain: FollowedChain;
  readonly #random: Random;
  readonly #load: HttpLoad;
  #followers: Running[] = [];
  readonly #nodes: (ServingNode | null)[] = [];
  readonly #killed: string[] = [];

  constructor(postgres: TestPostgres, chain: FollowedChain, seed: number) {
    this.#postgres = postgres;
    this.#chain = chain;
    this.#random = new Random(seed, 420, 0);
    const { simulation } = chain;
    this.#load = new HttpLoad({
      simulation,
      model: new ChainModel(simulation),
      random: new Random(seed, 421, 0),
      targets: () => this.#nodes.map((node) => node?.url ?? null),
      callers: CALLERS,
    });
  }

  async run(): Promise<void> {
    this.#followers = [this.#chain.follow("--standby")];
    await untilLogged(this.#followers[0]!, /^following /u);
    await this.#addFollower();
    for (let index = 0; index < NODES; index += 1) await this.#startNode(index);
    const endSlots = this.#chain.emitOn(SLOT_MS);
    await this.#untilRecovered();
    const calm = await this.#timesOf(CALM_MS);
    const after: number[] = [];
    for (let count = 0; count < kills; count += 1) {
      await sleep(this.#random.between(0, 400));
      await this.#killSomething();
      await this.#untilRecovered();
      after.push(...(await this.#timesOf(CALM_MS)));
      if (this.#killed.length % 5 === 0) console.log(`killed so far: ${this.#killed.join(", ")}`);
    }
    await endSlots();
    await this.#load.stop().catch((error: unknown) => {
      console.error(`killed: ${this.#killed.join(", ")}`);
      throw error;
    });
    await this.#settle();
    const { answered, refused, lost } = this.#load;
    console.log(
      `${kills} kills: ${answered} answers right, ${refused} refused with 503, ${lost} connections lost; ` +
        `p99 ${p99(calm)} ms before, ${p99(after)} ms after`,
    );
    expect(answered).toBeGreaterThan(0);
  }

  async #timesOf(ms: number): Promise<readonly number[]> {
    this.#load.takeTimes();
    await sleep(ms);
    return this.#load.takeTimes();
  }

  async #killSomething(): Promise<void> {
    const what = ["writer", "writer", "waiting writer", "node", "node", "database"][this.#random.below(6)]!;
    this.#killed.push(`${what} after slot ${this.#chain.simulation.confirmed}`);
    switch (what) {
      case "writer":
        await kill(this.#followers.shift()!);
        await untilLogged(this.#followers[0]!, /^following /u);
        return this.#addFollower();
      case "waiting writer":
        await kill(this.#followers.pop()!);
        return this.#addFollower();
      case "node": {
        const index = this.#random.below(NODES);
        const node = this.#nodes[index]!;
        await kill(node!.process);
        this.#nodes[index] = null;
        await sleep(this.#random.between(0, 300));
        return this.#startNode(index);
      }
      default:
        await this.#postgres.crash();
        await sleep(this.#random.between(0, 1000));
        return this.#postgres.restart();
    }
  }

  /** One more, which waits for its turn, or has it at once where no one else was fast enough. */
  async #addFollower(): Promise<void> {
    const waiting = this.#chain.follow("--standby");
    this.#followers.push(waiting);
    await untilLogged(waiting, /^(?:standing by|following)/u);
  }

  async #startNode(index: number): Promise<void> {
    const running = this.#chain.serve();
    const line = await untilLogged(running, /"msg":"serving"/u);
    this.#nodes[index] = { process: running, url: (JSON.parse(line) as { url: string }).url };
  }

  /** Every node stands where the chain was after what happened, or further. */
  async #untilRecovered(): Promise<void> {
    const { finalized, confirmed } = this.#chain.simulation;
    for (const node of this.#nodes) {
      await until(async () => {
        const { slot, follow } = await readinessOf(node!.url);
        return (slot ?? 0) >= finalized && (follow?.confirmedSlot ?? 0) >= confirmed;
      });
    }
  }

  async #settle(): Promise<void> {
    this.#chain.upstream.emit(this.#chain.simulation.settle());
    await this.#untilRecovered();
    // After a crash of the database the waiting one may have been faster: which one writes does not matter.
    for (const follower of this.#followers) await kill(follower);
    for (const node of this.#nodes) {
      node!.process.child.kill("SIGTERM");
      await until(() => node!.process.child.exitCode !== null);
      expect(node!.process.child.exitCode).toBe(0);
    }
    expect(await this.#chain.finalizedSlot()).toBe(this.#chain.simulation.finalized);
    await this.#chain.expectCleanStore();
  }
}

const p99 = (times: readonly number[]): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN).toFixed(1);

describe.each(storePlaces)("over $kind", ({ urlOf }) => {
  describePostgres("kills under load", () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres();
    });
    afterAll(async () => {
      await postgres?.stop();
    });

    test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
      "seed %i: lose nothing, and no answer is wrong",
      async (seed) => {
        onTestFailed(() => {
          const settings = `LAMPLIGHT_SEED=${seed} LAMPLIGHT_KILLS=${kills}`;
          console.error(
            `repeat with: ${settings} npx vitest run packages/cli/src/commands/kill.pg.chaos.test.ts`,
          );
        });
        const name = `chaos_${seed}`;
        const clean = `${postgres.url}?schema=${name}_clean`;
        const chain = await FollowedChain.start({ store: urlOf(postgres.url, name), clean, seed });
        // Also when the time is over: nothing that was started may outlive the test.
        onTestFinished(() => chain.stop());
        await new KillChaos(postgres, chain, seed).run();
      },
      600_000 + 300_000 * kills,
    );
  });
});
