// `npm start` with a `turbo` of this test on the PATH, which leaves a mark: whether anything would have been built.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-start-"));
  const turbo = join(folder, "turbo");
  await writeFile(
    turbo,
    `#!/bin/sh\necho "$@" > "${join(folder, "built")}"\necho "• turbo" \necho "$BUILD_ERROR" >&2\nexit 7\n`,
  );
  await chmod(turbo, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

const start = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
  const flags = ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, main, ...args], {
    env: { ...process.env, ...environment, PATH: `${folder}${delimiter}${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), exit]);
  return { exitCode, stderr, isBuilt: existsSync(join(folder, "built")) };
};

test("npm start refuses a port in use, and a temporary folder that is not there, before anything is built", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const port = String((other.address() as AddressInfo).port);
  try {
    const stderr = `lamplight: 127.0.0.1:${port} is in use; choose another with --port or LAMPLIGHT_PORT (0 picks a free one)\n`;
    const refused = { exitCode: 1, stderr, isBuilt: false };
    expect(await start(["--port", port])).toEqual(refused);
    expect(await start([], { LAMPLIGHT_PORT: port })).toEqual(refused);
  } finally {
    other.close();
  }
  const TMPDIR = join(folder, "missing");
  const refused = await start(["--port", "0"], { TMPDIR });
  expect(refused).toMatchObject({ exitCode: 1, isBuilt: false });
  expect(refused.stderr).toContain(`cannot write to the temporary folder ${TMPDIR} (ENOENT)`);
  expect(await start(["--port", "http"])).toMatchObject({ exitCode: 2, isBuilt: false });
});

test("npm start builds where a port is free, and ends where the build fails", async () => {
  const failed = await start([], { BUILD_ERROR: "no such type" });
  expect(failed).toMatchObject({ exitCode: 7, isBuilt: true });
  expect(failed.stderr).toContain("no such type");
});
