// The packed packages are installed once for all files of a run that need them: it takes 20 s of processor time.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { installPacked } from "../src/install-packed.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder for them. */
    readonly packedFolder: string;
  }
}

/** Vitest calls it before the first test of a project, and what it returns after the last one. */
export const setup = (project: TestProject): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-packed-"));
  project.provide("packedFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
};

const LOOK_MS = 200;

/**
 * Installs them, or waits until another file has done so.
 *
 * @returns the folder where `installPacked` put them
 */
export const installPackedOnce = async (): Promise<string> => {
  const folder = inject("packedFolder");
  const outcome = join(folder, "outcome");
  if (isFirst(folder)) {
    const problem = await installPacked(folder).then(() => "", String);
    // The others see the whole text or none.
    writeFileSync(`${outcome}.new`, problem);
    renameSync(`${outcome}.new`, outcome);
  }
  while (!existsSync(outcome)) await sleep(LOOK_MS);
  const problem = readFileSync(outcome, "utf8");
  if (problem !== "") throw new Error(problem);
  return folder;
};

const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(join(folder, "taken"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
};
