// Backup and restore of both engines with the programs that an operator uses: sizes and times until calls are answered again.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findBackupBinaries, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { type Bench, type Figure } from "./bench.ts";
import { sampleStore } from "./sample-store.ts";

const accounts = Number(process.env["LAMPLIGHT_BENCH_ACCOUNTS"] ?? 200_000);
const MEGABYTE = 1 << 20;
const READY_POLL_MS = 20;

const main = fileURLToPath(new URL("../../../packages/cli/src/main.ts", import.meta.url));
const run = promisify(execFile);

export const recoveryBench: Bench = {
  name: "recovery",
  about: `backup, restore, verify and first answers of a store of ${accounts} accounts with their assets`,
  async run(say): Promise<readonly Figure[]> {
    const store = await sampleStore("assets", accounts, say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-recovery-"));
    try {
      say("SQLite");
      const sqlite = await measureSqlite(store, folder);
      const binaries = findBackupBinaries();
      if (binaries === null) {
        say("PostgreSQL is left out: pg_dump is not installed");
        return sqlite;
      }
      say("PostgreSQL");
      const postgres = await startPostgres(binaries);
      try {
        return [...sqlite, ...(await measurePostgres(store, folder, postgres, binaries.folder))];
      } finally {
        await postgres.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const measureSqlite = async (store: string, folder: string): Promise<readonly Figure[]> => {
  const backup = join(folder, "backup.db");
  const restored = join(folder, "restored.db");
  const backedUp = await secondsOf(() => lamplight("backup", "--store", `sqlite:${store}`, "--to", backup));
  const copied = await secondsOf(() => cpSync(backup, restored));
  return [
    megabytes("SQLite: store file", statSync(store).size),
    megabytes("SQLite: backup", statSync(backup).size),
    seconds("SQLite: lamplight backup", backedUp),
    seconds("SQLite: restore (a copy of the file)", copied),
    ...(await measureRestored("SQLite", `sqlite:${restored}`, folder)),
  ];
};

const measurePostgres = async (
  store: string,
  folder: string,
  postgres: TestPostgres,
  programs: string,
): Promise<readonly Figure[]> => {
  const { url } = postgres;
  const program = (name: string, ...args: readonly string[]) => run(join(programs, "bin", name), [...args]);
  const restored = url.replace(/postgres$/u, "restored");
  const dump = join(folder, "dump");
  const options = ["--format=directory", "--jobs=2", "--schema=lamplight", `--file=${dump}`];
  const copied = await secondsOf(() => lamplight("copy", "--from", `sqlite:${store}`, "--to", url));
  const client = await postgres.connect();
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT pg_database_size(current_database()) AS bytes",
  );
  await client.end();
  const dumped = await secondsOf(() => program("pg_dump", ...options, `--dbname=${url}`));
  await program("createdb", `--maintenance-db=${url}`, "restored");
  const restoring = await secondsOf(() => program("pg_restore", "--jobs=2", `--dbname=${restored}`, dump));
  return [
    megabytes("PostgreSQL: database", Number(rows[0]!.bytes)),
    megabytes("PostgreSQL: dump", sizeOf(dump)),
    seconds("PostgreSQL: lamplight copy from SQLite", copied),
    seconds("PostgreSQL: pg_dump", dumped),
    seconds("PostgreSQL: pg_restore", restoring),
    ...(await measureRestored("PostgreSQL", restored, folder)),
  ];
};

const measureRestored = async (engine: string, url: string, folder: string): Promise<readonly Figure[]> => [
  seconds(`${engine}: until a node over it is ready`, await secondsOf(() => becomeReady(url, folder))),
  seconds(`${engine}: lamplight verify`, await secondsOf(() => lamplight("verify", "--store", url))),
];

const lamplight = (...args: readonly string[]) =>
  run(process.execPath, [...process.execArgv, main, ...args], { maxBuffer: MEGABYTE });

/** Starts a node, waits until its `/readyz` is 200, and ends it. */
const becomeReady = async (url: string, folder: string): Promise<void> => {
  const flags = ["serve", "--store", url, "--key", "bench", "--port", "0"];
  const child = spawn(process.execPath, [...process.execArgv, main, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, LAMPLIGHT_SEARCH_CACHE: join(folder, "search") },
  });
  try {
    const served = new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).on("line", (line) => {
        const entry = JSON.parse(line) as { msg: string; url: string };
        if (entry.msg === "serving") resolve(entry.url);
      });
      child.once("exit", () => reject(new Error("the node ended before it served")));
    });
    const readyUrl = `${await served}/readyz`;
    while (!(await fetch(readyUrl)).ok) await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
};

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

const secondsOf = async (work: () => unknown): Promise<number> => {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
};

const seconds = (name: string, value: number): Figure => ({ name, value, unit: "s" });
const megabytes = (name: string, bytes: number): Figure => ({ name, value: bytes / MEGABYTE, unit: "MiB" });
