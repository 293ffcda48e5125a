// Two servers that share keys and quotas through PostgreSQL, and what they do while it is away.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { until } from "../../test/until.ts";

const serving = /"url":"(http:[^"]+)","store/u;

const statusOf = async (url: string, key: string, calls = 1): Promise<number> => {
  const call = { jsonrpc: "2.0", id: 1, method: "getLargestAccounts", params: [] };
  const response = await fetch(`${url}/v3/${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls === 1 ? call : Array.from({ length: calls }, () => call)),
  });
  await response.text();
  return response.status;
};

describePostgres("keys in PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-keys-pg-"));
  const store = `sqlite:${join(folder, "demo.db")}`;
  let postgres: TestPostgres;
  let environment: NodeJS.ProcessEnv;
  const servers: ChildProcess[] = [];
  const written: string[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    environment = { LAMPLIGHT_KEY_STORE: postgres.url };
    await createDemoStore(join(folder, "demo.db"));
  });
  afterAll(async () => {
    for (const server of servers) server.kill("SIGKILL");
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  const keys = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await runCommand(["keys", ...args], environment);
    expect([exitCode, stderr]).toEqual([0, stderr]);
    return stdout.trim();
  };
  const serve = async (): Promise<string> => {
    const at = written.push("") - 1;
    const server = startCommand(["serve", "--port", "0", "--store", store], environment);
    servers.push(server);
    for (const stream of [server.stdout!, server.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => (written[at] += text));
    await until(() => serving.test(written[at]!) || server.exitCode !== null);
    expect(server.exitCode, written[at]).toBeNull();
    return serving.exec(written[at]!)![1]!;
  };

  test("a quota holds over two servers, which answer on while the database is away", async () => {
    const { stderr } = await runCommand(["serve", "--port", "0", "--store", store], environment);
    expect(stderr).toContain("does not exist; make it with lamplight keys create");
    const key = await keys("create", "acme", "--requests-per-day", "200");
    const other = await keys("create", "other");
    const [first, second] = [await serve(), await serve()];
    for (let batch = 0; batch < 2; batch += 1) expect(await statusOf(first, key, 100)).toBe(200);
    expect(await statusOf(first, key)).toBe(429);
    // Far fewer calls than the second one would admit by itself.
    await expect.poll(() => statusOf(second, key), { interval: 1000 }).toBe(429);
    const calls = async (): Promise<number> =>
      Number(/acme,getLargestAccounts,(\d+),/u.exec(await keys("usage", "acme"))?.[1]);
    const counted = await calls();
    expect(counted).toBeGreaterThanOrEqual(200);
    expect(counted).toBeLessThan(400);
    await keys("disable", "acme");
    for (const url of [first, second]) await expect.poll(() => statusOf(url, key)).toBe(403);

    await postgres.stop();
    await expect.poll(() => written[0]).toContain("API keys cannot be read");
    for (const url of [first, second]) {
      expect(await statusOf(url, other)).toBe(200);
      expect(await statusOf(url, "wrong-key")).toBe(401);
      expect(await statusOf(url, key)).toBe(403);
    }
    for (const server of servers) {
      server.kill("SIGTERM");
      expect(await once(server, "exit")).toEqual([0, null]);
    }
    const password = new URL(postgres.url).password;
    for (const text of written)
      for (const secret of [key, other, ...(password === "" ? [] : [password])])
        expect(text).not.toContain(secret);
  });
});
