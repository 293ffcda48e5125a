// `lamplight serve --workers` as a process: what several threads answer is what one answers, at every commitment, while
// the chain moves and clients connect again and again.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, onTestFailed, test } from "vitest";
import { FollowedChain } from "../../test/followed-chain.ts";
import {
  expectAnswersOfOne,
  expectOneMovingState,
  workersConfig,
  workersSeed,
} from "../../test/serve-workers.ts";

let folder: string;
let chain: FollowedChain;
let config: string;
beforeEach(async () => {
  onTestFailed(() => console.error(`LAMPLIGHT_WORKERS_SEED=${workersSeed}`));
  folder = mkdtempSync(join(tmpdir(), "lamplight-workers-"));
  config = join(folder, "config.json");
  writeFileSync(config, workersConfig);
  const clean = `sqlite:${join(folder, "clean.db")}`;
  chain = await FollowedChain.start({
    store: `sqlite:${join(folder, "index.db")}`,
    clean,
    seed: workersSeed,
  });
});
afterEach(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

test("answers what one worker answers, byte for byte", () => expectAnswersOfOne(chain, config));

test("over a chain that moves, searches are filters over assets, and no client goes back in time", async () => {
  await expectOneMovingState(chain, config, (...flags) => chain.serveAndFollow(...flags));
  await chain.expectCleanStore();
});
