import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./pages.ts";

const run = promisify(execFile);
const compiler = join(root, "node_modules/typescript/bin/tsc");

/** Compiles all modules of a folder that lies in this package; returns the compiler's messages, "" for none. */
export const compileFolder = async (folder: string): Promise<string> => {
  const settings = {
    extends: "../../../tsconfig.json",
    // An example may declare what it does not go on to use, and import types by plain imports.
    compilerOptions: { noUnusedLocals: false, verbatimModuleSyntax: false },
    include: ["*.ts", "../../../packages/*/src/**/*.d.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  // Each thread that checks would check the libraries again.
  const args = [compiler, "--noEmit", "--pretty", "false", "--singleThreaded", "-p", folder];
  const { stdout } = await run(process.execPath, args).catch((error: unknown) => error as { stdout: string });
  return stdout.trim();
};
