// A PostgreSQL store compared with a snapshot archive. Its rows come in another order than those of a file.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChainArchives, writeChainArchives } from "../../test/chain-archive.ts";
import { runCommand } from "../../test/run-command.ts";
import { silent } from "../../test/snapshot-loads.ts";
import { loadSnapshot } from "@lamplight/runtime/snapshot";

describePostgres("lamplight verify --snapshot over PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-verify-postgres-"));
  let archives: ChainArchives;
  let postgres: TestPostgres;
  beforeAll(async () => {
    archives = writeChainArchives(folder, 1500);
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  test("finds a loaded store equal, and a spoiled account", async () => {
    const { full, incremental } = archives;
    const store = `${postgres.url}?schema=verified`;
    await loadSnapshot(
      { full, incremental, store, workFolder: folder, filter: null, verify: "full" },
      silent,
    );
    const args = ["verify", "--store", store, "--snapshot", full, "--incremental", incremental];
    const work = ["--work", folder, "--json"];
    const sound = await runCommand([...args, ...work]);
    expect(JSON.parse(sound.stdout)).toMatchObject({
      isEqual: true,
      same: archives.living.length,
      differing: 0,
    });
    const client = new Client(postgres.url);
    await client.connect();
    await client.query(
      "UPDATE verified.account SET lamports = lamports + 1 WHERE address = (SELECT address FROM verified.account WHERE lamports IS NOT NULL LIMIT 1)",
    );
    await client.end();
    const spoiled = await runCommand([...args, ...work]);
    expect(JSON.parse(spoiled.stdout)).toMatchObject({
      differing: 1,
      differences: [{ differs: ["lamports"] }],
    });
    expect([sound.exitCode, spoiled.exitCode]).toEqual([0, 1]);
  });
});
