import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Asset,
  type AssetQuery,
  emptyChangeSet,
  type IndexStore,
  type ViewSource,
  type ReadView,
  reads,
} from "@lamplight/core";
import { generateChain, demoOptions } from "@lamplight/devchain";
import { RECENT_CHANGES_MAX } from "@lamplight/search";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { type SearchLife, startSearchLife } from "@lamplight/search";

const queries: readonly AssetQuery[] = (["id", "created", "updated", "none"] as const).flatMap((sort) => [
  {
    criteria: [{ kind: "burnt", value: false }],
    match: "all",
    negate: false,
    sort,
    direction: "desc",
    start: { kind: "page", page: 2 },
    limit: 10,
  },
  {
    criteria: [
      { kind: "interface", value: "V1_NFT" },
      { kind: "creatorVerified", verified: true },
    ],
    match: "any",
    negate: true,
    sort,
    direction: "asc",
    start: { kind: "page", page: 1 },
    limit: 7,
  },
]);

let folder: string;
let store: IndexStore;
let reader: SqliteReader;
let life: SearchLife | null = null;
const batches = [...generateChain(demoOptions)];

const indexFile = (): string => join(folder, "demo.search");

const load = async (from: number, to: number): Promise<void> => {
  const indexer = createIndexer(store);
  for (const { accounts, slot, blockhash } of batches.slice(from, to))
    await indexer.applyAccounts(accounts, { slot, blockhash });
};

/** Commits that many new assets at once. */
const commitMany = async (count: number): Promise<void> => {
  const { slot } = (await store.readWatermark())!;
  const view = await reader.openView("finalized");
  const [first] = await view.terms.listChanges(0, 1);
  view.close();
  const assets = Array.from({ length: count }, (_, number): Asset => {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, number);
    return { ...first!.facts!, id, document: "{}", extras: null };
  });
  await store.commit({ ...emptyChangeSet, watermark: { slot: slot + 1, blockhash: null }, assets });
};

const startLife = async (): Promise<SearchLife> => {
  life = await startSearchLife({ viewSource: reader, file: indexFile() });
  await life.filled;
  return life;
};

/** Answers of a readable to every query, from one view. */
const answers = async (viewSource: ViewSource): Promise<unknown[]> => {
  const view = await viewSource.openView("finalized");
  try {
    return await Promise.all(queries.map((query) => view.read(reads.search(query))));
  } finally {
    view.close();
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-life-"));
  store = openSqliteStore({ file: join(folder, "demo.db"), mode: "write" });
  reader = openSqliteReader({ file: join(folder, "demo.db") });
});

afterEach(async () => {
  await life?.close();
  life = null;
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

describe("startSearchLife", () => {
  test("answers from memory as the store's own search does, before and after more is committed", async () => {
    await load(0, 3);
    const { viewSource, index } = await startLife();
    expect(index.existing.size).toBeGreaterThan(0);
    expect(await answers(viewSource)).toEqual(await answers(reader));
    await load(3, batches.length);
    expect(await answers(viewSource)).toEqual(await answers(reader));
  });

  test("a view opened before a commit keeps its own answer", async () => {
    await load(0, 3);
    const { viewSource } = await startLife();
    const view = await viewSource.openView("finalized");
    const expected = await answers(reader);
    await load(3, batches.length);
    await life!.catchUp();
    const seen = await Promise.all(queries.map((query) => view.read(reads.search(query))));
    view.close();
    expect(seen).toEqual(expected);
  });

  test("answers a view of a large store from memory though commits came since, and asks to come again past its bound", async () => {
    await load(0, 3);
    life = await startSearchLife({ viewSource: reader, file: null, sqlChangesMax: 0 });
    await life.filled;
    const view = await life.viewSource.openView("finalized");
    const expected = await answers(reader);
    const seen = (): Promise<unknown[]> =>
      Promise.all(queries.map(async (query) => view.read(reads.search(query))));
    await load(3, batches.length);
    await life.catchUp();
    expect(life.index.isAt(view.terms.changeSeq)).toBe(false);
    expect(await seen()).toEqual(expected);
    await commitMany(RECENT_CHANGES_MAX + 1);
    await life.catchUp();
    await expect(seen()).rejects.toMatchObject({
      code: "STORE__LOADING",
      context: { retryAfterSeconds: 1 },
    });
    view.close();
    expect(await answers(life.viewSource)).toEqual(await answers(reader));
  });

  test("asks for patience while a burst has left the index of a large store behind, and no longer", async () => {
    await load(0, 3);
    life = await startSearchLife({ viewSource: reader, file: null, sqlChangesMax: 0 });
    await life.filled;
    await commitMany(10_001);
    await expect(answers(life.viewSource)).rejects.toMatchObject({ code: "STORE__LOADING" });
    await life.catchUp();
    expect(await answers(life.viewSource)).toEqual(await answers(reader));
  });

  test("is filled only when a fill went through: failed ones are reported and tried again", async () => {
    await load(0, 3);
    let failures = 3;
    const errors: unknown[] = [];
    const failing: ViewSource = {
      openView: (commitment) => {
        const view = reader.openView(commitment) as ReadView;
        const listBriefChanges: ReadView["terms"]["listBriefChanges"] = (changeSeq, limit) => {
          if (failures-- > 0) throw new Error(failures > 0 ? "the disk is slow" : "the disk is slower");
          return view.terms.listBriefChanges!(changeSeq, limit);
        };
        return Object.create(view, {
          terms: { value: Object.create(view.terms, { listBriefChanges: { value: listBriefChanges } }) },
          close: { value: () => view.close() },
        }) as ReadView;
      },
    };
    life = await startSearchLife({
      viewSource: failing,
      file: null,
      onError: (error) => {
        errors.push(error);
        expect(life?.status()).toMatchObject({ isFilling: true, assets: 0 });
      },
    });
    expect(await life.filled).toBe(true);
    expect(errors.map(String)).toEqual(["Error: the disk is slow", "Error: the disk is slower"]);
    expect(life.status().isFilling).toBe(false);
    expect(life.status().assets).toBeGreaterThan(0);
  });

  test("says that it was never filled when it was stopped before", async () => {
    await load(0, 3);
    const stopping = AbortSignal.abort();
    life = await startSearchLife({ viewSource: reader, file: null, signal: stopping });
    expect(await life.filled).toBe(false);
  });

  test("takes over a saved index and catches up with what came since", async () => {
    await load(0, 3);
    await startLife();
    await life!.close();
    await load(3, batches.length);
    const { viewSource, index } = await startLife();
    expect(index.existing.size).toBeGreaterThan(0);
    expect(await answers(viewSource)).toEqual(await answers(reader));
  });

  test("builds a damaged file again", async () => {
    await load(0, batches.length);
    await startLife();
    await life!.close();
    const bytes = readFileSync(indexFile());
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(indexFile(), bytes);
    const { viewSource } = await startLife();
    expect(await answers(viewSource)).toEqual(await answers(reader));
  });

  test("does not take over the index of another store under the same name", async () => {
    await load(0, batches.length);
    await startLife();
    await life!.close();
    life = null;
    reader.close();
    await store.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `demo.db${suffix}`), { force: true });
    store = openSqliteStore({ file: join(folder, "demo.db"), mode: "write" });
    reader = openSqliteReader({ file: join(folder, "demo.db") });
    await load(0, 2);
    const { viewSource } = await startLife();
    expect(await answers(viewSource)).toEqual(await answers(reader));
  });
});
