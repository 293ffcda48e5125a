// Two processes that follow into one store: one writes, the other waits for its turn.

import { once } from "node:events";
import { Random } from "@lamplight/devchain";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FollowedChain, kill, type Running, untilLogged } from "../../test/followed-chain.ts";
import { until } from "../../test/until.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);
/** Times the writing process is killed. */
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 3);

const end = async ({ child }: Running): Promise<void> => {
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
};

describe.each(storePlaces)("over $kind", ({ urlOf }) => {
  describePostgres("lamplight follow yellowstone --standby", () => {
    let postgres: TestPostgres;
    let chain: FollowedChain;
    let stores = 0;
    beforeAll(async () => {
      postgres = await startPostgres();
    });
    afterAll(async () => {
      await postgres?.stop();
    });
    beforeEach(async () => {
      const name = `standby_${(stores += 1)}`;
      const clean = `${postgres.url}?schema=${name}_clean`;
      chain = await FollowedChain.start({ store: urlOf(postgres.url, name), clean, seed });
    });
    afterEach(() => chain.stop());

    const settled = async (): Promise<void> => {
      chain.upstream.emit(chain.simulation.settle());
      await until(async () => (await chain.finalizedSlot()) === chain.simulation.finalized);
    };

    test("waits, says so, and takes over from one that ended well", async () => {
      const first = chain.follow();
      await untilLogged(first, /^following /u);
      const refused = chain.follow();
      expect(await once(refused.child, "exit")).toEqual([1, null]);
      const second = chain.follow("--standby", "--metrics-port", "0");
      const metrics = (await untilLogged(second, /^metrics: /u)).slice("metrics: ".length);
      await untilLogged(second, /^standing by: .* is being written by another process/u);
      const readiness = async (): Promise<unknown> => {
        const response = await fetch(metrics.replace("/metrics", "/readyz"));
        return [response.status, await response.json()];
      };
      // It is ready for what it is there for.
      expect(await readiness()).toEqual([200, { status: "standing by" }]);
      expect(await (await fetch(metrics)).text()).toContain("lamplight_follow_standing_by 1\n");
      await end(first);
      await untilLogged(second, /^following /u);
      for (let step = 0; step < 10; step += 1) chain.upstream.emit(chain.simulation.next());
      await until(
        async () => ((await readiness()) as [number, { status: string }])[1].status === "following",
      );
      expect(await (await fetch(metrics)).text()).toContain("lamplight_follow_standing_by 0\n");
      await settled();
      await end(second);
      await chain.expectCleanStore();
    });

    test("one that waits ends at once when reported to", async () => {
      const first = chain.follow();
      await untilLogged(first, /^following /u);
      const second = chain.follow("--standby");
      await untilLogged(second, /^standing by/u);
      await end(second);
      await end(first);
    });

    test(`whoever is killed, the other goes on and nothing is lost or written twice (LAMPLIGHT_SEED=${seed})`, async () => {
      const random = new Random(seed, 410, 0);
      let active = chain.follow("--standby");
      await untilLogged(active, /^following /u);
      for (let count = 0; count < kills; count += 1) {
        const waiting = chain.follow("--standby");
        await untilLogged(waiting, /^standing by/u);
        for (let steps = random.between(1, 12); steps > 0; steps -= 1)
          chain.upstream.emit(chain.simulation.next());
        if (random.percent(50)) {
          const { finalized } = chain.simulation;
          await until(async () => (await chain.finalizedSlot()) === finalized);
        }
        await kill(active);
        await untilLogged(waiting, /^following /u);
        active = waiting;
      }
      await settled();
      await end(active);
      await chain.expectCleanStore();
    });

    test("one that lost its lock without knowing writes no more, and waits for its turn again", async () => {
      const first = chain.follow("--standby");
      await untilLogged(first, /^following /u);
      for (let step = 0; step < 5; step += 1) chain.upstream.emit(chain.simulation.next());
      first.child.kill("SIGSTOP");
      await postgres.cutSessions("lamplight writer");
      const second = chain.follow("--standby");
      await untilLogged(second, /^following /u);
      first.child.kill("SIGCONT");
      for (let step = 0; step < 5; step += 1) chain.upstream.emit(chain.simulation.next());
      await untilLogged(first, /^standing by/u);
      const from = first.said.length;
      await kill(second);
      await untilLogged(first, /^following /u, from);
      await settled();
      await end(first);
      await chain.expectCleanStore();
    });
  });
});
