// Programs are added to and dropped from a store in a file while it is followed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { describeCoverageChanges } from "../../test/describe-coverage-changes.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? 2);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-coverage-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1)
  describeCoverageChanges((name) => `sqlite:${join(folder, `${name}.db`)}`, seed);
