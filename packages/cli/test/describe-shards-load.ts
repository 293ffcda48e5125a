// A ledger snapshot into several databases: the rows of a load into one, and nothing half-way.

import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { engineOf, openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { loadSnapshot, type LoadSnapshotOptions } from "@lamplight/runtime/snapshot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChainArchives, writeChainArchives } from "./chain-archive.ts";
import { runCommand, startCommand } from "./run-command.ts";
import { silent } from "./snapshot-loads.ts";
import { contentOf } from "./store-content.ts";

const shared = resolve(process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../shared"));
const recorded = [
  [
    "snapshot-10-6ExseAZAVJsAZjhimxHTR7N8p6VGXiDNdsajYh1ipjAD.tar.zst",
    "incremental-snapshot-10-25-GXgKvm3NMAPgGdv2verVaNXmKTHQgfy2TAxLVEfAvdCS.tar.zst",
  ],
  [
    "snapshot-1-EBe8pELXj14duQwdduPrzrEVzYstzNPG5FimRGMtecAK.tar.zst",
    "incremental-snapshot-1-4-BMKj9myfAArBLthDS3zAH2cd9GPirP7KHdCaHce6YMij.tar.zst",
  ],
].map((names) => names.map((name) => join(shared, "fixtures/snapshots", name)));
const isMissing = !recorded.flat().every((path) => existsSync(path));
if (isMissing) console.warn(`skipped: recorded snapshots are missing in ${shared} (set LAMPLIGHT_SHARED)`);

/** No reader and no writer opens it. */
const expectUnfinished = async (store: string): Promise<void> => {
  const unfinished = { code: "STORE__UNFINISHED" };
  await expect(openStoreForReading(store)).rejects.toMatchObject(unfinished);
  // The server may need a moment to notice that the process is gone.
  await expect
    .poll(() => openStoreForWriting(store, { create: true }).catch((error: unknown) => error), {
      timeout: 60_000,
    })
    .toMatchObject(unfinished);
};

const isFinished = async (store: string): Promise<boolean> => {
  const opened = await openStoreForReading(store).catch(() => null);
  await opened?.close();
  return opened !== null;
};

/** Places for a store of one database, and for one of several shards. */
export interface LoadPlaces {
  readonly plain: string;
  readonly shards: string;
}

/** Loads into several shards, next to loads into one database. */
export const describeShardsLoad = (newPlaces: () => LoadPlaces): void => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-load-shards-"));
  let archives: ChainArchives;
  beforeAll(() => {
    archives = writeChainArchives(folder, 1500);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const optionsOf = (store: string, more: Partial<LoadSnapshotOptions> = {}): LoadSnapshotOptions => ({
    full: archives.full,
    incremental: archives.incremental,
    store,
    workFolder: folder,
    filter: null,
    verify: "full",
    ...more,
  });

  /** Loads both, and compares the summaries and all rows. */
  const expectSame = async (more: Partial<LoadSnapshotOptions> = {}) => {
    const { plain, shards } = newPlaces();
    const { seconds: _, stages: _stages, ...expected } = await loadSnapshot(optionsOf(plain, more), silent);
    expect(await loadSnapshot(optionsOf(shards, more), silent)).toMatchObject(expected);
    const content = await contentOf(shards);
    const { head, ...rows } = await contentOf(plain);
    expect(content).toEqual({ head: { ...head, notes: expect.anything() as object }, ...rows });
    expect(Object.keys(content.head.notes)).toEqual(Object.keys(head.notes));
    expect(readdirSync(folder).filter((name) => name.endsWith(".load"))).toEqual([]);
    return { shards, content };
  };

  test("has the rows of a load into one database, with their numbers", async () => {
    const { shards, content } = await expectSame();
    expect(content.assets.length).toBeGreaterThan(100);
    const verified = await runCommand(["verify", "--store", shards]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining(": sound (")]);
    expect(verified.stderr).toContain(`comparing with the ledger snapshot of slot ${archives.slot}`);
    await expect(loadSnapshot(optionsOf(shards), silent)).rejects.toMatchObject({ code: "STORE__NOT_EMPTY" });
  });

  test("narrowed and without holdings, has the same rows too", async () => {
    const { encodeAddress } = await import("@lamplight/codecs");
    const mint = archives.living.find(({ data }) => data.length === 82)!.address;
    const filter = {
      kind: "filtered",
      programs: [],
      owners: [],
      mints: [encodeAddress(mint)],
      collections: [],
    } as const;
    const { content } = await expectSame({ filter, holdings: false });
    expect(content.accounts.length).toBeGreaterThan(0);
    expect(content.head).toMatchObject({ coverage: filter, holdings: false });
  });

  test.skipIf(isMissing).each(recorded)(
    "%s of a validator has the same rows too",
    async (full, incremental) => {
      const { shards, content } = await expectSame({ full: full!, incremental: incremental! });
      expect(content.accounts.length).toBeGreaterThan(20);
      expect(await runCommand(["verify", "--store", shards])).toMatchObject({ exitCode: 0 });
    },
  );

  test("stopped half-way, leaves an empty place and continues from its partitions", async () => {
    const { shards: store } = newPlaces();
    const stopping = new AbortController();
    const update = ({ stage }: { readonly stage: string }): void => {
      if (stage === "derive") stopping.abort(new Error("enough"));
    };
    const stopped = loadSnapshot(optionsOf(store), { ...silent, update }, stopping.signal);
    await expect(stopped).rejects.toThrow("enough");
    const emptied = await openStoreForWriting(store, { create: true });
    expect(await emptied.readAccountPage(null, 10)).toEqual([]);
    expect(await emptied.checkIntegrity()).toEqual([]);
    await emptied.close();
    const notes: string[] = [];
    await loadSnapshot(optionsOf(store), { ...silent, say: (line) => notes.push(line) });
    expect(notes).toEqual(["continuing from the partitions of an earlier run"]);
  });

  test("that fails when its shards are finished stays unfinished, and the next load replaces them", async () => {
    const { plain, shards: store } = newPlaces();
    const failing = {
      ...silent,
      update: ({ step }: { readonly step?: string }): void => {
        if (step === "mark") throw new Error("cut off");
      },
    };
    await expect(loadSnapshot(optionsOf(store), failing)).rejects.toThrow("cut off");
    await expectUnfinished(store);
    // The rows of another snapshot: none of the first load may be left.
    const other = { incremental: null };
    await loadSnapshot(optionsOf(store, other), silent);
    await loadSnapshot(optionsOf(plain, other), silent);
    const { head: _, ...rows } = await contentOf(plain);
    expect(await contentOf(store)).toMatchObject(rows);
  });

  test("killed at several moments, never answers, and ends in the same store", async () => {
    const { plain, shards: store } = newPlaces();
    await loadSnapshot(optionsOf(plain), silent);
    const { head: _, ...rows } = await contentOf(plain);
    const place = ["--store", store, "--work", folder];
    const args = ["load", "snapshot", archives.full, archives.incremental, ...place];
    for (const moment of ["insert", "derive", "finish", "index asset_owner", "mark"]) {
      const child = startCommand([...args, "--json"]);
      const exit = once(child, "exit");
      for await (const line of createInterface({ input: child.stderr! })) {
        const { stage, step } = JSON.parse(line) as { readonly stage?: string; readonly step?: string };
        if (stage === moment || step === moment) break;
      }
      child.kill("SIGKILL");
      await exit;
      // The last step may have ended before the signal came.
      if (moment === "mark" && (await isFinished(store))) break;
      await expectUnfinished(store);
    }
    const { exitCode, stderr } = await runCommand(args);
    if (exitCode !== 0) expect(stderr).toContain("already holds");
    expect(await contentOf(store)).toMatchObject(rows);
    await engineOf(store).drop(store);
    await expect(openStoreForWriting(store, { create: false })).rejects.toMatchObject({
      code: "STORE__MISSING",
    });
  }, 600_000);
};
