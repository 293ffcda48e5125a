// Assets derived again by new rules while a follower writes: each answer is of one version of the rules.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import {
  deriveBehindEndedFollower,
  downgradeInBetween,
  upgradeInOneProcess,
  upgradeUnderKills,
  upgradeWhileSlotsWait,
  upgradeWithoutOldRules,
} from "../test/upgraded-store.ts";

let folder: string;
let url: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-derive-"));
  url = `sqlite:${join(folder, "index.db")}`;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("rules that changed, over SQLite", () => {
  test("derive again beside a follower that is killed and goes on", () => upgradeUnderKills(url));

  test("derive again in the process that serves", () => upgradeInOneProcess(url));

  test("lose no slot that comes during the switch", () => upgradeWhileSlotsWait(url));

  test("derive again where the old rules are gone", () => upgradeWithoutOldRules(url));

  test("derive again behind a follower that has ended, between two polls of a node", () =>
    deriveBehindEndedFollower(url));

  test("begin again after a process that did not know them", () => downgradeInBetween(url));
});
