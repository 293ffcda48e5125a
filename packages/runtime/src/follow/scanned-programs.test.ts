// Programs are added to and dropped from a store in a file while it follows an RPC node.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeScannedChanges } from "../../test/describe-scanned-changes.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? 1);

const folder = mkdtempSync(join(tmpdir(), "lamplight-coverage-"));
afterAll(() => rmSync(folder, { recursive: true }));
let stores = 0;

for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1)
  describeScannedChanges((name) => {
    stores += 1;
    return `sqlite:${join(folder, `${name}-${stores}.db`)}`;
  }, seed);
