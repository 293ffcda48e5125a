// Runs `lamplight` from its sources as a child process: the real command line, exit code and signals.
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

/** The bundle of these sources, where this run made one. Node's cache of it ends with the run, as its folder does. */
const bundle = inject("lamplightCommand");
const main = bundle ?? fileURLToPath(new URL("../src/main.ts", import.meta.url));
const cache = bundle === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(bundle), "compiled") };

/** The last one is explained in `tools/steady-wasm.ts`. */
const nodeFlags = [
  "--conditions=@lamplight/source",
  "--disable-warning=ExperimentalWarning",
  "--wasm-wrapper-tiering-budget=1000000000",
];

/** Nothing of the environment that could configure the command gets through. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LAMPLIGHT_")));

/** Starts the command with its output piped; with `detached`, it has no terminal. */
export const startCommand = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  options: Pick<SpawnOptions, "detached" | "uid" | "gid"> = {},
): ChildProcess =>
  spawn(process.execPath, [...nodeFlags, main, ...args], {
    env: { ...cleanEnvironment(), ...cache, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end. */
export const runCommand = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  options: Pick<SpawnOptions, "uid" | "gid"> = {},
): Promise<CommandResult> => {
  const child = startCommand(args, environment, options);
  const exit = once(child, "exit") as Promise<[number | null]>;
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout!), text(child.stderr!), exit]);
  return { exitCode, stdout, stderr };
};
