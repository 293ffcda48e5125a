import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url).pathname;
const main = new URL("main.ts", import.meta.url).pathname;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const generateInto = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-generate-"));
  folders.push(folder);
  execFileSync(process.execPath, ["--conditions=@lamplight/source", main, "--out", folder], {
    stdio: "pipe",
  });
  return folder;
};

const targets = [
  "codecs/src",
  "contract/src",
  "das/src",
  "server/src",
  "client/src",
  "client/src/das",
  "docs/src",
  "docs/src/das",
  "sources/src",
].map((folder) => `packages/${folder}/generated`);

/** Path to bytes of everything generated. */
const generated = (root: string): ReadonlyMap<string, string> =>
  new Map(
    targets.flatMap((target) =>
      readdirSync(join(root, target), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file.slice(root.length).replace(/^\//, ""), readFileSync(file, "latin1")] as const),
    ),
  );

describe("generation", () => {
  test("is deterministic, and what is committed is its result", () => {
    const first = generated(generateInto());
    const second = generated(generateInto());
    const committed = generated(repository);
    expect([...second.keys()]).toEqual([...first.keys()]);
    expect([...committed.keys()].toSorted()).toEqual([...first.keys()].toSorted());
    for (const [file, text] of first) {
      expect(second.get(file) === text, `${file} differs between two runs`).toBe(true);
      expect(committed.get(file) === text, `${file} is out of date: run npx turbo run generate`).toBe(true);
    }
  });

  test("leaves no path of this machine and no date behind", () => {
    for (const [file, text] of generated(repository)) {
      expect(text.includes(repository), file).toBe(false);
      expect(/\b20\d\d-[01]\d-[0-3]\dT/.test(text), file).toBe(false);
    }
  });
});
