// A store over several shards, one of them on a server of its own, while real calls run: its writer is killed or frozen
// half way, and sessions or the server of the shard end. No answer is wrong, and nothing is lost.

import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { FollowedChain, kill, type Running, untilLogged } from "../../test/followed-chain.ts";
import { HttpLoad } from "../../test/http-load.ts";
import { readinessOf } from "../../test/serving.ts";
import { until } from "../../test/until.ts";
import { ChainModel } from "../../../indexer/test/chain-model.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);
/** Times that each thing happens. */
const times = Number(process.env["LAMPLIGHT_KILLS"] ?? 2);
const CALLERS = 4;
const SLOT_MS = 400;

/** The slots that come. */
interface Slots {
  /** Ends them. */
  end: () => Promise<void>;
}

describePostgres("follow and serve over several shards", () => {
  let postgres: TestPostgres;
  /** Has the last shard. */
  let other: TestPostgres;
  let chain: FollowedChain;
  let name: string;
  let stores = 0;
  beforeAll(async () => {
    [postgres, other] = await Promise.all([startPostgres(), startPostgres()]);
  });
  afterAll(async () => {
    await Promise.all([postgres?.stop(), other?.stop()]);
  });
  beforeEach(async () => {
    name = `killed_${(stores += 1)}`;
    const url = new URL(postgres.url.replace(/^postgres(?:ql)?:/u, "shards:"));
    url.searchParams.set("schema", name);
    for (const [place, { url: server }] of [postgres, postgres, other].entries())
      url.searchParams.append("shard", `${server}?schema=${name}_${place}`);
    chain = await FollowedChain.start({
      store: url.href,
      clean: `${postgres.url}?schema=${name}_clean`,
      seed,
    });
    onTestFinished(() => chain.stop());
  });

  /** Slots come and calls run while `body` does; then everything is compared. */
  const underLoad = async (
    body: (node: Running, writer: Running, slots: Slots) => Promise<Running>,
  ): Promise<void> => {
    const { simulation, upstream } = chain;
    const first = chain.follow("--standby");
    await untilLogged(first, /^following /u);
    const node = chain.serve();
    const { url } = JSON.parse(await untilLogged(node, /"msg":"serving"/u)) as { url: string };
    const load = new HttpLoad({
      simulation,
      model: new ChainModel(simulation),
      random: new Random(seed, 430, 0),
      targets: () => [url],
      callers: CALLERS,
    });
    const slots: Slots = { end: chain.emitOn(SLOT_MS) };
    onTestFinished(async () => {
      await slots.end();
      await load.stop().catch(() => undefined);
    });
    const reached = async (): Promise<void> => {
      const { finalized } = simulation;
      await until(async () => ((await readinessOf(url)).slot ?? 0) >= finalized);
    };
    await reached();
    const last = await body(node, first, slots);
    await reached();
    await slots.end();
    upstream.emit(simulation.settle());
    await reached();
    await load.stop();
    const { answered, refused, lost } = load;
    console.log(`${answered} answers right, ${refused} refused with 503, ${lost} connections lost`);
    expect([answered > 0, lost]).toEqual([true, 0]);
    for (const { child } of [node, last]) {
      child.kill("SIGTERM");
      await until(() => child.exitCode !== null);
    }
    expect(await chain.finalizedSlot()).toBe(simulation.finalized);
    await chain.expectCleanStore();
  };

  /** Waits until rows are on their way, of which the last shard can take none. The result lets it take them. */
  const halfWay = async (): Promise<() => Promise<void>> => {
    const holding = await other.connect();
    await holding.query(`BEGIN; LOCK TABLE ${name}_2.node_slot IN SHARE MODE`);
    const looking = await postgres.connect();
    const isHalfWay = `SELECT started > settled AND started = ALL (
  SELECT number FROM ${name}_0.node_slot UNION ALL SELECT number FROM ${name}_1.node_slot
) AS half FROM ${name}.delta_head`;
    await until(async () => (await looking.query(isHalfWay)).rows[0].half === true);
    await looking.end();
    return async () => {
      await holding.query("ROLLBACK");
      await holding.end();
    };
  };

  test("a writer that is killed between the rows of two shards is followed by the next one", () =>
    underLoad(async (_node, first) => {
      let writer = first;
      for (let time = 0; time < times; time += 1) {
        const waiting = chain.follow("--standby");
        await untilLogged(waiting, /^standing by/u);
        const letGo = await halfWay();
        await kill(writer);
        // Answers are right also while one shard lacks what the others have.
        await sleep(1000);
        await letGo();
        await untilLogged(waiting, /^following /u);
        writer = waiting;
      }
      return writer;
    }));

  test("a writer that is frozen between the rows of two shards is replaced, and writes no more", () =>
    underLoad(async (_node, first, slots) => {
      const letGo = await halfWay();
      first.child.kill("SIGSTOP");
      // The next writer waits for up to a minute. Each slot of that minute would be compared in the end.
      await slots.end();
      const client = await postgres.connect();
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted",
      );
      await client.end();
      const second = chain.follow("--standby");
      await letGo();
      await untilLogged(second, /^following /u);
      slots.end = chain.emitOn(SLOT_MS);
      const from = first.said.length;
      first.child.kill("SIGCONT");
      await untilLogged(first, /^standing by/u, from);
      await sleep(1000);
      await kill(first);
      return second;
    }));

  test("the sessions of a shard end, again and again", () =>
    underLoad(async (_node, writer) => {
      for (let time = 0; time < 5 * times; time += 1) {
        await other.cutSessions(time % 2 === 0 ? "lamplight writer" : "lamplight reader");
        await sleep(200);
      }
      return writer;
    }));

  test("the server of a shard crashes, and comes back", () =>
    underLoad(async (_node, writer) => {
      for (let time = 0; time < times; time += 1) {
        await other.crash();
        await sleep(1000);
        await other.restart();
        await sleep(1000);
      }
      return writer;
    }));
});
