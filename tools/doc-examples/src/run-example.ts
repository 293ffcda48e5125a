import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The address that all pages name. */
export const sampleUrl = "http://127.0.0.1:5267";

/** Flags for modules that read packages from their sources. */
export const nodeFlags = ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder. @returns what it prints, also where it fails */
export const runIn = async (folder: string, command: string, args: readonly string[]): Promise<Printed> => {
  // The examples are no part of the run that starts them.
  const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env;
  return run(command, args, { cwd: folder, env: { ...env, NO_COLOR: "1" } }).catch(
    (error: unknown) => error as Printed,
  );
};

/** Whether a command works here. Where it does not, the examples that need it are skipped, with a message. */
export const canRun = (what: string, command: string, args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`SKIPPED: ${what}, because this fails here: ${[command, ...args].join(" ")}`);
    return false;
  }
};
