import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openArchiveSource } from "./archive-source.ts";

test("two files with the same name, size and time are two archives", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-archives-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = async (name: string): Promise<string> => {
    mkdirSync(join(folder, name));
    const path = join(folder, name, "snapshot-10-11111111111111111111111111111111.tar.zst");
    writeFileSync(path, "x");
    utimesSync(path, 1, 1);
    const { identity } = await openArchiveSource(path);
    expect((await openArchiveSource(path)).identity).toBe(identity);
    return identity;
  };
  expect(await open("one")).not.toBe(await open("other"));
});
