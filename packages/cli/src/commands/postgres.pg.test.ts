// The commands as processes, over a store in PostgreSQL.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { demoAddresses } from "@lamplight/devchain";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { demoCalls, writeDemoDump } from "../../test/demo-dump.ts";
import { createDemoStore } from "../../test/demo-store.ts";
import { expectDumpCoverage } from "../../test/dump-coverage.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { postCall, servingUrl } from "../../test/serving.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-cli-postgres-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts `lamplight serve` on a free port; killed at the end of the test. */
const startServing = async (store: string): Promise<string> => {
  const child = startCommand(["serve", "--port", "0", "--key", "k", "--store", store]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return servingUrl(child, (_entry, line) => expect(line).not.toContain("hush"));
};

const call = async (url: string, method: string, params: unknown) => {
  const response = await postCall(`${url}/v3/k`, method, params);
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
};

describePostgres("commands over PostgreSQL", () => {
  let postgres: TestPostgres;
  let store: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    store = postgres.url.replace("postgres@", "postgres:hush@");
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  test("migrate makes a store, and does nothing the second time", async () => {
    const url = `${store}?schema=migrated`;
    const missing = await runCommand(["migrate", "--store", url]);
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining("with --create")]);
    for (const more of [["--create"], ["--create"], []]) {
      const { exitCode, stdout, stderr } = await runCommand(["migrate", "--store", url, ...more]);
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout).toBe(
        `postgres://127.0.0.1:${postgres.port}/postgres?schema=migrated has the schema of this version\n`,
      );
    }
  });

  test("dumps cover the addresses they hold, and add up", () => expectDumpCoverage(`${store}?schema=dumps`));

  test("a dump is loaded, found sound, and served with the same bytes as from a file, through a crash of the database", async () => {
    const dump = join(folder, "chain.ndjson");
    writeDemoDump(dump);
    const loaded = await runCommand(["load", "accounts", dump, "--covers", "whole", "--store", store]);
    // A slow machine has time for lines of progress.
    expect([loaded.exitCode, loaded.stderr]).toEqual([0, expect.not.stringContaining("lamplight:")]);
    expect(loaded.stdout + loaded.stderr).not.toContain("hush");
    const verified = await runCommand(["verify", "--store", store]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining(": sound (")]);

    const file = join(folder, "demo.db");
    await createDemoStore(file);
    const [fromPostgres, fromFile] = await Promise.all([startServing(store), startServing(`sqlite:${file}`)]);
    const answers = async (url: string) =>
      Promise.all(demoCalls.map(([method, params]) => call(url, method, params)));
    const expected = await answers(fromFile);
    for (const { status } of expected) expect(status).toBe(200);
    expect(await answers(fromPostgres)).toEqual(expected);

    const readiness = async () => {
      const response = await fetch(`${fromPostgres}/readyz`);
      return [response.status, ((await response.json()) as { status: string; reason?: string }).status];
    };
    expect(await readiness()).toEqual([200, "ready"]);
    await postgres.crash();
    await vi.waitFor(async () => expect(await readiness()).toEqual([503, "unreachable"]), {
      timeout: 60_000,
    });
    const down = await call(fromPostgres, "getAsset", { id: demoAddresses.nft });
    expect(down).toMatchObject({ status: 503, retryAfter: "1" });
    expect(JSON.parse(down.text)).toMatchObject({
      error: { code: -32603, message: "Internal error: the store cannot be reached" },
    });
    await postgres.restart();
    await vi.waitFor(async () => expect(await answers(fromPostgres)).toEqual(expected), { timeout: 300_000 });
    await vi.waitFor(async () => expect(await readiness()).toEqual([200, "ready"]), { timeout: 60_000 });
  });
});
