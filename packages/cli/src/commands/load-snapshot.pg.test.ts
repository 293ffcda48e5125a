// A ledger snapshot into PostgreSQL: the same rows as into a file, and nothing half-way.

import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChainArchives, writeChainArchives } from "../../test/chain-archive.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { silent } from "../../test/snapshot-loads.ts";
import { contentOf } from "../../test/store-content.ts";
import { loadSnapshot, type LoadSnapshotOptions } from "@lamplight/runtime/snapshot";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 5);
/** Times a load is killed. */
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 3);

describePostgres("lamplight load snapshot into PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-load-postgres-"));
  let archives: ChainArchives;
  let postgres: TestPostgres;
  let schemas = 0;
  beforeAll(async () => {
    archives = writeChainArchives(folder, 1500);
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  const newStore = (): string => `${postgres.url}?schema=load_${(schemas += 1)}`;
  const optionsOf = (store: string, more: Partial<LoadSnapshotOptions> = {}): LoadSnapshotOptions => ({
    full: archives.full,
    incremental: archives.incremental,
    store,
    workFolder: folder,
    filter: null,
    verify: "full",
    ...more,
  });

  test("makes the store that a file would be, with the same receipt and proof", async () => {
    const [store, file] = [newStore(), `sqlite:${join(folder, "same.db")}`];
    const [ours, theirs] = [
      await loadSnapshot(optionsOf(store), silent),
      await loadSnapshot(optionsOf(file), silent),
    ];
    const { seconds, stages, ...proved } = ours;
    expect({ ...proved, seconds, stages }).toEqual({
      ...theirs,
      seconds: expect.any(Number) as number,
      stages: expect.any(Object) as object,
    });
    expect(proved).toMatchObject({ slot: archives.slot, livingAccounts: archives.living.length });
    const [fromPostgres, fromFile] = [await contentOf(store), await contentOf(file)];
    expect(fromPostgres.assets.length).toBeGreaterThan(100);
    expect(Object.keys(fromPostgres.head.notes)).toEqual(["snapshot_receipt"]);
    expect({ ...fromPostgres, head: { ...fromPostgres.head, notes: {} }, ledger: [] }).toEqual({
      ...fromFile,
      head: { ...fromFile.head, notes: {} },
      ledger: [],
    });
    expect(new Set(fromPostgres.ledger)).toEqual(new Set(fromFile.ledger));
    expect(readdirSync(folder).filter((name) => name.endsWith(".load"))).toEqual([]);
    const verified = await runCommand(["verify", "--store", store]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining(": sound (")]);
    expect(verified.stderr).toContain(`comparing with the ledger snapshot of slot ${archives.slot}`);
  });

  test("narrowed, keeps what a file would keep", async () => {
    const mint = archives.living.find(({ data }) => data.length === 82)?.address;
    const { encodeAddress } = await import("@lamplight/codecs");
    const filter = {
      kind: "filtered",
      programs: [],
      owners: [],
      mints: [encodeAddress(mint as Uint8Array)],
      collections: [],
    } as const;
    const [store, file] = [newStore(), `sqlite:${join(folder, "narrow.db")}`];
    for (const place of [store, file]) {
      await loadSnapshot(optionsOf(place, { filter, holdings: false }), silent);
    }
    const [ours, theirs] = [await contentOf(store), await contentOf(file)];
    expect(ours.accounts).toEqual(theirs.accounts);
    expect(ours.accounts.length).toBeGreaterThan(0);
    expect(ours.head).toMatchObject({ coverage: filter, holdings: false });
  });

  test("shows nothing before the store is whole, and lets no writer in", async () => {
    const store = newStore();
    const args = [
      "load",
      "snapshot",
      archives.full,
      archives.incremental,
      "--store",
      store,
      "--work",
      folder,
      "--json",
    ];
    const child = startCommand(args);
    const exit = once(child, "exit");
    for await (const line of createInterface({ input: child.stderr! })) {
      if ((JSON.parse(line) as { stage?: string }).stage === "derive") break;
    }
    child.kill("SIGSTOP");
    const reader = await openPostgresReader({ url: store });
    await expect(reader.openView("finalized")).rejects.toMatchObject({ code: "STORE__LOADING" });
    await expect(openPostgresStore({ url: store, mode: "write" })).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    child.kill("SIGCONT");
    child.stderr!.resume();
    child.stdout!.resume();
    expect(await exit).toEqual([0, null]);
    const view = await reader.openView("finalized");
    expect(view.slot).toBe(archives.slot);
    view.close();
    reader.close();
  });

  test("stopped half-way, leaves an empty place and goes on from its partitions", async () => {
    const store = newStore();
    const stopping = new AbortController();
    const update = ({ stage }: { readonly stage: string }): void => {
      if (stage === "derive") stopping.abort(new Error("enough"));
    };
    await expect(loadSnapshot(optionsOf(store), { ...silent, update }, stopping.signal)).rejects.toThrow(
      "enough",
    );
    const emptied = await openPostgresStore({ url: store, mode: "write" });
    expect(await emptied.readAccountPage(null, 10)).toEqual([]);
    expect(await emptied.checkIntegrity()).toEqual([]);
    await emptied.close();
    const notes: string[] = [];
    const steps: string[] = [];
    await loadSnapshot(optionsOf(store), {
      ...silent,
      say: (line) => notes.push(line),
      update: ({ stage, step, share }) => {
        if (stage === "finish") steps.push(step ?? `${share}`);
      },
    });
    expect(steps).toEqual(expect.arrayContaining(["index asset_owner", "mark", "1"]));
    expect(notes).toEqual(["continuing from the partitions of an earlier run"]);
    await expect(loadSnapshot(optionsOf(store), silent)).rejects.toMatchObject({ code: "STORE__NOT_EMPTY" });
  });

  test(
    `killed at any moment, ends in the same store when it is run again (LAMPLIGHT_SEED=${seed})`,
    async () => {
      const whole = newStore();
      await loadSnapshot(optionsOf(whole), silent);
      const { head, ...rows } = await contentOf(whole);
      const expectSame = async (store: string): Promise<void> => {
        const found = await contentOf(store);
        expect(found).toEqual({ head: { ...head, notes: expect.anything() as object }, ...rows });
      };
      const argsOf = (store: string): readonly string[] => {
        const place = ["--store", store, "--work", folder];
        return ["load", "snapshot", archives.full, archives.incremental, ...place];
      };
      const random = new Random(seed, 0, 0);
      let store = newStore();
      for (let kill = 0; kill < kills; kill += 1) {
        const child = startCommand(argsOf(store));
        const exit = once(child, "exit");
        await Promise.race([exit, sleep(random.between(300, 3500))]);
        child.kill("SIGKILL");
        const [exitCode] = (await exit) as [number | null];
        if (exitCode === null) continue;
        // Done, or refused, since the one before was killed when it was as good as done.
        await expectSame(store);
        store = newStore();
      }
      const { exitCode, stderr } = await runCommand(argsOf(store));
      if (exitCode !== 0) expect(stderr).toContain("already holds");
      await expectSame(store);
      expect(readdirSync(folder).filter((name) => name.endsWith(".load"))).toEqual([]);
    },
    60_000 + kills * 20_000,
  );
});
