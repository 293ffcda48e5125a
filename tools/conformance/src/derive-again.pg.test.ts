import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import {
  deriveBehindEndedFollower,
  downgradeInBetween,
  upgradeUnderKills,
  upgradeWhileSlotsWait,
  upgradeWithoutOldRules,
} from "../test/upgraded-store.ts";

describePostgres("rules that changed, over PostgreSQL", () => {
  let server: TestPostgres;
  let stores = 0;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(() => {
    url = `${server.url}?schema=derive_${(stores += 1)}`;
  });

  test("derive again beside a follower that is killed and goes on", () => upgradeUnderKills(url));

  test("lose no slot that comes during the switch", () => upgradeWhileSlotsWait(url));

  test("derive again where the old rules are gone", () => upgradeWithoutOldRules(url));

  test("derive again behind a follower that has ended, between two polls of a node", () =>
    deriveBehindEndedFollower(url));

  test("begin again after a process that did not know them", () => downgradeInBetween(url));
});
