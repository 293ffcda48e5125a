// Programs are added to and dropped from a store in a file while it follows an RPC node.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { describeScannedChanges } from "../../test/describe-scanned-changes.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? 1);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-coverage-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1)
  describeScannedChanges((name) => `sqlite:${join(folder, `${name}.db`)}`, seed);
