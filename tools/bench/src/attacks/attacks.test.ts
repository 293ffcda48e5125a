// Small forms of the attacks that no other test has. Figures of time depend on the machine and are left to the bench.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Figure, keepsBudget } from "../bench.ts";
import { buildHostileStore } from "../turns/hostile-store.ts";
import { largeDocuments, manyContracts, wrongParameters } from "./calls.ts";
import { guessedKeys, slowBodies } from "./crowds.ts";
import { unreadDocuments } from "./unread.ts";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-attacks-"));
  file = join(folder, "attacked.db");
  const large = { large: 150, largeBytes: 1_000_000, accountBytes: 1000 };
  await buildHostileStore(file, { delegated: 10, heldMints: 10, owned: 10, prints: 10, ...large });
});
afterAll(() => rmSync(folder, { recursive: true }));

const missed = (figures: readonly Figure[]): readonly Figure[] =>
  figures.filter((figure) => figure.unit !== "ms" && figure.unit !== "ms/MB" && !keepsBudget(figure));

test.each([
  ...[unreadDocuments, largeDocuments, manyContracts, wrongParameters, slowBodies].map((attack) => ({
    ...attack,
    workers: 1,
  })),
  { ...guessedKeys, workers: 2 },
])("$name stays within its bounds, with $workers workers", async (attack) => {
  const { workers } = attack;
  const figures = await attack.run({ file, share: 0.1, seed: 1, workers }, () => undefined);
  expect(figures.length).toBeGreaterThan(0);
  expect(missed(figures)).toEqual([]);
});
