import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { describePostgres } from "./describe-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

const folders = (): Set<string> =>
  new Set(readdirSync(tmpdir()).filter((name) => name.startsWith("lamplight-postgres-")));

describePostgres("startPostgres", () => {
  test("starts a server, survives its crash, and leaves nothing behind", async () => {
    const before = folders();
    const server = await startPostgres();
    const [folder] = [...folders()].filter((name) => !before.has(name));
    expect(folder).toBeDefined();
    expect(await answers(server.port)).toBe(true);
    await server.crash();
    expect(await answers(server.port)).toBe(false);
    await server.restart();
    expect(await answers(server.port)).toBe(true);
    await server.stop();
    await server.stop();
    expect(await answers(server.port)).toBe(false);
    expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
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
