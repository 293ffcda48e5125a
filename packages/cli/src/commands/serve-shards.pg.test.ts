// The commands as processes, over a store in several databases.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { demoCalls, writeDemoDump } from "../../test/demo-dump.ts";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { postCall, servingUrl } from "../../test/serving.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-cli-shards-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The answers of `lamplight serve` to a call of each method. */
const served = async (store: string): Promise<readonly unknown[]> => {
  const child = startCommand(["serve", "--port", "0", "--key", "k", "--store", store]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const url = await servingUrl(child, (_entry, line) => expect(line).not.toContain("hush"));
  return Promise.all(
    demoCalls.map(async ([method, params]) => {
      const response = await postCall(`${url}/v3/k`, method, params);
      return [method, response.status, response.headers.get("x-slot"), await response.text()];
    }),
  );
};

describePostgres("commands over several databases", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  test("a dump is loaded, and served with the same bytes as from a file", async () => {
    const url = postgres.url.replace("postgres@", "postgres:hush@");
    const shards = ["one", "two", "three"].map((name) => encodeURIComponent(`${url}?schema=${name}`));
    const store = `${url.replace(/^postgres(?:ql)?:/u, "shards:")}?shard=${shards.join("&shard=")}`;
    const dump = join(folder, "chain.ndjson");
    writeDemoDump(dump);
    const loaded = await runCommand(["load", "accounts", dump, "--covers", "whole", "--store", store]);
    expect([loaded.exitCode, loaded.stderr]).toEqual([0, ""]);
    expect(loaded.stdout).not.toContain("hush");

    const file = join(folder, "demo.db");
    await createDemoStore(file);
    const expected = await served(`sqlite:${file}`);
    expect(expected.map((answer) => (answer as readonly unknown[])[1])).toEqual(demoCalls.map(() => 200));
    expect(await served(store)).toEqual(expected);
  });
});
