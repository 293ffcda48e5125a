import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { describePostgres } from "./describe-postgres.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

const folderOf = async (server: TestPostgres): Promise<string> => {
  const client = await server.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  await client.end();
  return dirname(rows[0]!.data_directory);
};

describePostgres("startPostgres", () => {
  test("starts a server, survives its crash, and leaves nothing behind", async () => {
    const server = await startPostgres();
    const folder = await folderOf(server);
    expect(existsSync(folder)).toBe(true);
    expect(await answers(server.port)).toBe(true);
    await server.crash();
    expect(await answers(server.port)).toBe(false);
    await server.restart();
    expect(await answers(server.port)).toBe(true);
    await server.stop();
    await server.stop();
    expect(await answers(server.port)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test("ends with the process that started it, however that one ends", async () => {
    const script = fileURLToPath(new URL("../test/start-and-wait.ts", import.meta.url));
    const owner = spawn(process.execPath, [...process.execArgv, script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: owner.stdout })[Symbol.asyncIterator]();
    const port = Number((await lines.next()).value);
    expect(await answers(port)).toBe(true);
    const session = new Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
    session.on("error", () => undefined);
    await session.connect();
    const ended = new Promise((resolve) => session.once("end", () => resolve(null)));
    owner.kill("SIGKILL");
    await ended;
    // Sessions end a moment before the server that listens for new ones.
    await vi.waitFor(async () => expect(await answers(port)).toBe(false), { timeout: 300_000 });
  });
});
