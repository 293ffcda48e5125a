import { copyFileSync, cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);

/** The folders of the installed test runners. */
export const runners = {
  vitest: dirname(require.resolve("vitest/package.json")),
  jest: dirname(require.resolve("jest/package.json")),
  "@playwright/test": dirname(require.resolve("@playwright/test/package.json")),
} as const;

/** A project of a user: this package as it was built (`npx turbo run build`), the test runners, the recipes. */
export const createUserProject = (): string => {
  const project = mkdtempSync(join(tmpdir(), "lamplight-recipes-"));
  const installed = join(project, "node_modules/@lamplight/testing");
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(own, "package.json"), join(installed, "package.json"));
  cpSync(join(own, "dist"), join(installed, "dist"), { recursive: true });
  for (const [name, folder] of Object.entries(runners)) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folder, link);
  }
  cpSync(join(own, "recipes"), project, { recursive: true });
  return project;
};
