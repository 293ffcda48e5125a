// The same cases as suites.test.ts, answered from PostgreSQL: to the letter, so that both stores answer the same bytes.

import { describePostgres, reusedStores, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openStoreForWriting } from "@lamplight/runtime";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import type { Suite } from "../outcome.ts";
import { overruled } from "../overruled.ts";
import { runSuite } from "../run-suite.ts";
import { openAccountSuite } from "./accounts.ts";
import { openAssetSuite } from "./assets.ts";
import { openIngestSuite } from "./ingest.ts";
import { createSnapshotFolder } from "../../test/snapshot-folder.ts";
import { openTranscriptSuite } from "./transcripts.ts";
import { openVectorSuite } from "./vectors.ts";

const failuresOf = async (name: string, suite: Suite): Promise<readonly string[]> => {
  const outcomes = await runSuite(suite, { suite: name, only: null, overruled, onOutcome: () => {} });
  expect(outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThan(20);
  return outcomes
    .filter(({ status }) => status === "failed")
    .map((outcome) => [outcome.name, ...outcome.reasons].join("\n"));
};

const ownTranscripts = join(import.meta.dirname, "../../transcripts");
const shared = process.env["LAMPLIGHT_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared");
const isSharedThere = ["accounts", "das-cases", "vectors"].every((name) => existsSync(join(shared, name)));
if (!isSharedThere) console.warn(`SKIPPED shared cases on PostgreSQL: ${shared} does not exist`);

describePostgres("suites on PostgreSQL", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });
  let schemas = 0;
  const stores = reusedStores(
    () => `${postgres.url}?schema=lab_${(schemas += 1)}`,
    async (url) => {
      const store = await openStoreForWriting(url, { create: true });
      await store.close();
    },
  );
  const openLab = (): Promise<Lab> =>
    Lab.over({ next: stores.take, giveBack: stores.giveBack, close: async () => {} });

  test("transcripts are answered to the letter", async () => {
    const suite = await openTranscriptSuite(ownTranscripts, openLab, { url: null, record: false });
    expect(await failuresOf("transcripts", suite)).toEqual([]);
  });

  test("ledger snapshots of a generated chain are read, loaded and proved", async () => {
    const folder = createSnapshotFolder();
    const outcomes = await runSuite(await openIngestSuite(folder, postgres.url), {
      suite: "ingest",
      only: "load/*",
      overruled,
      onOutcome: () => {},
    });
    rmSync(folder, { recursive: true });
    expect(outcomes.map(({ status, reasons }) => [status, reasons])).toEqual([
      ["passed", []],
      ["passed", []],
    ]);
  });

  describe.skipIf(!isSharedThere)("shared cases", () => {
    test("accounts pass", async () => {
      expect(await failuresOf("accounts", await openAccountSuite(join(shared, "accounts"), openLab))).toEqual(
        [],
      );
    });

    test("assets pass", { timeout: 1_800_000 }, async () => {
      expect(await failuresOf("assets", await openAssetSuite(join(shared, "das-cases"), openLab))).toEqual(
        [],
      );
    });

    test("vectors pass", async () => {
      expect(await failuresOf("vectors", await openVectorSuite(join(shared, "vectors"), openLab))).toEqual(
        [],
      );
    });
  });
});
