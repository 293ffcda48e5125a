// `lamplight copy` as a process, between files and PostgreSQL: stopped, killed, refused.

import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 11);
/** Times a copy is killed, of each kind. */
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 3);

const copy = (from: string, to: string) => runCommand(["copy", "--from", from, "--to", to]);
const verify = async (store: string): Promise<void> => {
  const { exitCode, stdout } = await runCommand(["verify", "--store", store]);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/: sound \((?!0 )\d+ assets compared\)/u)]);
};

describePostgres("lamplight copy", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-copy-"));
  const file = join(folder, "demo.db");
  let postgres: TestPostgres;
  beforeAll(async () => {
    await createDemoStore(file);
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });
  const schemaOf = (name: string): string =>
    `${postgres.url.replace("postgres@", "postgres:hush@")}?schema=${name}`;

  test("moves a store there and back, sound both times, and reports no password", async () => {
    expect((await runCommand(["index", "add", "das", "--store", `sqlite:${file}`])).exitCode).toBe(0);
    const to = schemaOf("there");
    const there = await copy(`sqlite:${file}`, to);
    expect([there.exitCode, there.stdout]).toEqual([
      0,
      expect.stringMatching(/ accounts, [1-9]\d* assets, /u),
    ]);
    await verify(to);
    const back = join(folder, "back.db");
    const again = await copy(to, `sqlite:${back}`);
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining(back)]);
    await verify(`sqlite:${back}`);
    for (const url of [to, `sqlite:${back}`]) {
      const { stdout } = await runCommand(["index", "add", "das", "--store", url]);
      expect(stdout).toContain("keeps the token accounts of each mint, and did before");
    }
    expect(existsSync(`${back}.load`)).toBe(false);
    expect([there, again].map(({ stdout, stderr }) => stdout + stderr).join("")).not.toContain("hush");
  });

  test(
    `killed at any moment leaves no half store, and begins anew (LAMPLIGHT_SEED=${seed})`,
    async () => {
      const random = new Random(seed, 0, 0);
      const places = [
        (made: number) => schemaOf(`killed_${made}`),
        (made: number) => `sqlite:${join(folder, `killed-${made}.db`)}`,
      ];
      for (const placeOf of places) {
        let made = 0;
        let to = placeOf(made);
        for (let kill = 0; kill < kills; kill += 1) {
          const child = startCommand(["copy", "--from", `sqlite:${file}`, "--to", to]);
          const exit = once(child, "exit");
          await Promise.race([exit, sleep(random.between(200, 900))]);
          child.kill("SIGKILL");
          await exit;
          // Whole, or nothing that anybody is served from.
          const served = await runCommand(["verify", "--store", to]);
          if (served.exitCode === 0) to = placeOf((made += 1));
          else
            expect(served.stderr).toMatch(
              /is incomplete|does not exist|being written|run lamplight migrate/u,
            );
        }
        const last = await copy(`sqlite:${file}`, to);
        expect([last.exitCode, last.stderr]).toEqual([0, expect.not.stringContaining("lamplight:")]);
        await verify(to);
      }
    },
    60_000 + kills * 20_000,
  );

  test("refuses what is not empty, not there, or not understood", async () => {
    const full = schemaOf("full");
    await copy(`sqlite:${file}`, full);
    for (const [from, to, message, code] of [
      [`sqlite:${file}`, full, "already holds accounts", 1],
      [full, `sqlite:${file}`, "already holds accounts", 1],
      ["sqlite:/does/not/exist.db", full, "does not exist", 1],
      [schemaOf("nothing"), full, "is not a Lamplight store", 1],
      [`sqlite:${file}`, "mysql://x", "invalid store", 1],
    ] as const) {
      const { exitCode, stderr } = await copy(from, to);
      expect(stderr).toContain(message);
      expect([exitCode, stderr.trim().split("\n").length]).toEqual([code, 1]);
    }
    expect(await runCommand(["copy", "--from", full])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--to URL is missing") as string,
    });
  });
});
