// `lamplight serve --workers` as a process over PostgreSQL or several shards, which follows the chain itself or is served next to one that does.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, onTestFailed, test } from "vitest";
import { FollowedChain, kill } from "../../test/followed-chain.ts";
import {
  expectAnswersOfOne,
  expectOneMovingState,
  workersConfig,
  workersSeed,
} from "../../test/serve-workers.ts";

describe.each(storePlaces)("over $kind", ({ urlOf }) => {
  describePostgres("lamplight serve --workers", () => {
    let postgres: TestPostgres;
    let folder: string;
    let config: string;
    let chain: FollowedChain;
    let stores = 0;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "lamplight-workers-"));
      config = join(folder, "config.json");
      writeFileSync(config, workersConfig);
      postgres = await startPostgres();
    });
    afterAll(async () => {
      await postgres?.stop();
      rmSync(folder, { recursive: true });
    });
    beforeEach(async () => {
      onTestFailed(() => console.error(`LAMPLIGHT_WORKERS_SEED=${workersSeed}`));
      const name = `workers_${(stores += 1)}`;
      const clean = `${postgres.url}?schema=${name}_clean`;
      chain = await FollowedChain.start({ store: urlOf(postgres.url, name), clean, seed: workersSeed });
    });
    afterEach(() => chain.stop());

    test("answers what one worker answers, byte for byte", () => expectAnswersOfOne(chain, config));

    test("over a chain that it follows, searches are filters over assets, and no client goes back in time", async () => {
      await expectOneMovingState(chain, config, (...flags) => chain.serveAndFollow(...flags));
      await chain.expectCleanStore();
    });

    test("the same next to a process that follows", async () => {
      const follower = chain.follow();
      await expectOneMovingState(chain, config, (...flags) => chain.serve(...flags));
      await kill(follower);
    });
  });
});
