import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";

import { runCommand } from "../../test/run-command.ts";
import { canRunWithoutRoot, withoutRoot } from "../../test/without-root.ts";
import { createDevFolder } from "./dev-folder.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "lamplight-folders-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** Another process that holds a folder until it is killed. */
const startHolder = async () => {
  const module = new URL("./dev-folder.ts", import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then(async ({ createDevFolder }) => {
  const folder = await createDevFolder(process.argv[1]);
  console.log(folder.path);
  setInterval(() => folder, 1000);
})`;
  const child = spawn(process.execPath, ["--eval", script, parent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [path] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    path,
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
};

test("a demo removes the folder of one that was killed, and none that is in use", async () => {
  const own = await createDevFolder(parent);
  const holder = await startHolder();
  try {
    expect(existsSync(own.path)).toBe(true);
    await (await createDevFolder(parent)).remove();
    expect(existsSync(holder.path)).toBe(true);
  } finally {
    await holder.kill();
  }
  const next = await createDevFolder(parent);
  expect(existsSync(holder.path)).toBe(false);
  expect(existsSync(own.path)).toBe(true);
  await own.remove();
  await next.remove();
  expect(readdirSync(parent)).toEqual([]);
});

test("the number in a folder's name decides nothing, and a folder without a lock stays", async () => {
  // No process has this number here; in another container one may.
  const folder = join(parent, "lamplight-demo-999999999-abc");
  mkdirSync(folder);
  await (await createDevFolder(parent)).remove();
  expect(readdirSync(parent)).toEqual(["lamplight-demo-999999999-abc"]);
});

test("a link with the name of a folder is left alone, and so is where it leads", async () => {
  const away = join(parent, "away");
  mkdirSync(away);
  writeFileSync(join(away, "lock"), "");
  symlinkSync(away, join(parent, "lamplight-demo-link"));
  await (await createDevFolder(parent)).remove();
  expect(readdirSync(parent).toSorted()).toEqual(["away", "lamplight-demo-link"]);
});

test.skipIf(!canRunWithoutRoot)(
  "a folder of another user is not looked into: a pipe there would block",
  async () => {
    const folder = join(parent, "lamplight-demo-other");
    mkdirSync(folder);
    writeFileSync(join(folder, "lock"), "");
    chownSync(folder, 65_534, 65_534);
    await (await createDevFolder(parent)).remove();
    expect(readdirSync(folder)).toEqual(["lock"]);
  },
);

test.each(["demo", "dev"])("%s says where the temporary folder cannot be used", async (command) => {
  const TMPDIR = join(parent, "missing");
  expect(await runCommand([command, "--port", "0"], { TMPDIR })).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `lamplight: cannot write to the temporary folder ${TMPDIR} (ENOENT); name another with TMPDIR\n`,
  });
});

test.runIf(canRunWithoutRoot).each(["demo", "dev"])(
  "%s says that the temporary folder is not writable",
  async (command) => {
    chmodSync(parent, 0o555);
    const refused = await runCommand([command, "--port", "0"], { TMPDIR: parent }, withoutRoot);
    chmodSync(parent, 0o755);
    expect(refused).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `lamplight: cannot write to the temporary folder ${parent} (EACCES); name another with TMPDIR\n`,
    });
  },
);
