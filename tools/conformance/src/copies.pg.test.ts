// A store moved from a file to PostgreSQL, within it, and back: every transcript is answered to the letter by each.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  copyStore,
  openStoreExport,
  openStoreForReading,
  openStoreForWriting,
  openStoreImport,
} from "@lamplight/runtime";
import { demoChain } from "@lamplight/devchain";
import { createIndexer, verifyAssets } from "@lamplight/indexer";
import { startSearchLife } from "@lamplight/search";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { startServer } from "@lamplight/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Lab } from "./lab.ts";
import { runSuite } from "./run-suite.ts";
import { openTranscriptSuite } from "./suites/transcripts.ts";

const transcripts = join(import.meta.dirname, "../transcripts");

const createDemoStore = async (url: string): Promise<void> => {
  const store = await openStoreForWriting(url, { create: true });
  const indexer = createIndexer(store);
  await store.writeCoverage({ kind: "whole" });
  let slot = 0;
  for (const { accounts } of demoChain()) {
    for (const account of accounts) slot = Math.max(slot, account.slot);
    await indexer.applyAccounts(accounts, { slot, blockhash: null });
  }
  await store.close();
};

const copy = async (from: string, to: string): Promise<void> => {
  const source = await openStoreExport(from);
  const target = await openStoreImport(to, source.head.holdings);
  await copyStore(source, target);
  await target.close();
};

/** Exchanges that a server over this store does not answer as recorded; none, and how many were asked. */
const failuresOf = async (url: string): Promise<{ failed: readonly string[]; asked: number }> => {
  const reader = await openStoreForReading(url);
  const life = await startSearchLife({ viewSource: reader, file: null });
  await life.filled;
  const server = await startServer({ viewSource: life.viewSource, keys: ["demo"], port: 0 });
  try {
    const suite = await openTranscriptSuite(transcripts, () => Lab.open(null), {
      url: `${server.url}/v3/demo`,
      record: false,
    });
    const outcomes = await runSuite(suite, {
      suite: "transcripts",
      only: null,
      overruled: [],
      onOutcome: () => {},
    });
    const failed = outcomes.filter(({ status }) => status !== "passed");
    return {
      failed: failed.map(({ name, reasons }) => [name, ...reasons].join("\n")),
      asked: outcomes.length,
    };
  } finally {
    await server.stop();
    await life.close();
    reader.close();
  }
};

const problemsOf = async (url: string): Promise<readonly unknown[]> => {
  const store = await openStoreForWriting(url, { create: false });
  try {
    return [...(await store.checkIntegrity()), ...(await verifyAssets(store)).differences];
  } finally {
    await store.close();
  }
};

describePostgres("a store that moves", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-copies-"));
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  test("answers every transcript to the letter wherever it goes", async () => {
    const first = `sqlite:${join(folder, "first.db")}`;
    const way = [
      `${postgres.url}?schema=second`,
      `${postgres.url}?schema=third`,
      `sqlite:${join(folder, "fourth.db")}`,
      `sqlite:${join(folder, "fifth.db")}`,
    ];
    await createDemoStore(first);
    const expected = await failuresOf(first);
    expect(expected.failed).toEqual([]);
    expect(expected.asked).toBeGreaterThan(50);
    let from = first;
    for (const to of way) {
      await copy(from, to);
      expect(await failuresOf(to), to).toEqual(expected);
      expect(await problemsOf(to)).toEqual([]);
      from = to;
    }
  });
});
