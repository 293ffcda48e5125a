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

  const storeOf = (name: string): string => {
    const url = postgres.url.replace("postgres@", "postgres:hush@");
    const shards = [0, 1, 2].map((place) => encodeURIComponent(`${url}?schema=${name}_${place}`));
    const coordinator = url.replace(/^postgres(?:ql)?:/u, "shards:");
    return `${coordinator}?schema=${name}&shard=${shards.join("&shard=")}`;
  };

  test("a dump is loaded, and served with the same bytes as from a file", async () => {
    const store = storeOf("loaded");
    const dump = join(folder, "chain.ndjson");
    writeDemoDump(dump);
    const loaded = await runCommand(["load", "accounts", dump, "--covers", "whole", "--store", store]);
    expect(loaded.exitCode).toBe(0);
    expect(loaded.stdout + loaded.stderr).not.toContain("hush");

    const file = join(folder, "demo.db");
    await createDemoStore(file);
    const expected = await served(`sqlite:${file}`);
    expect(expected.map((answer) => (answer as readonly unknown[])[1])).toEqual(demoCalls.map(() => 200));
    expect(await served(store)).toEqual(expected);
    expect(await runCommand(["verify", "--store", store])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(": sound") as string,
    });
  });

  test("a file is copied into shards and back, and each is served with the same bytes", async () => {
    const file = `sqlite:${join(folder, "original.db")}`;
    await createDemoStore(join(folder, "original.db"));
    const expected = await served(file);
    const [shards, back] = [storeOf("copied"), `sqlite:${join(folder, "back.db")}`];
    for (const [from, to] of [
      [file, shards],
      [shards, back],
    ] as const) {
      const copied = await runCommand(["copy", "--from", from, "--to", to]);
      expect(copied.exitCode).toBe(0);
      expect(copied.stdout + copied.stderr).not.toContain("hush");
      expect(await served(to)).toEqual(expected);
    }
    expect((await runCommand(["verify", "--store", shards])).exitCode).toBe(0);
  });
});
