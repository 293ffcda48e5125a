// Runs `lamplight` from its sources as a child process: the real command line, exit code and signals.
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

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
    env: { ...cleanEnvironment(), ...environment },
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
