// An installation of the packed packages, and the commands that are run there.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";

export interface Installation {
  /** Folder with `node_modules`. */
  readonly project: string;
  /** The binary that runs it. */
  readonly node: string;
}

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const commandOf = ({ project }: Installation): string =>
  join(project, "node_modules/@lamplight/cli/bin/lamplight.js");

/** No variable of this process configures the command. */
const environmentOf = (own: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const others = Object.entries(process.env).filter(([name]) => !/^(?:LAMPLIGHT_|NODE_|OTEL_)/u.test(name));
  return { ...Object.fromEntries(others), ...own };
};

export const runLamplight = (
  installation: Installation,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { cwd: installation.project, env: environmentOf(environment) };
    execFile(installation.node, [commandOf(installation), ...args], options, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });

/** @param preload - a module that runs before the command, in each of its threads */
export const spawnLamplight = (
  installation: Installation,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  preload: string,
): ChildProcess =>
  spawn(installation.node, ["--import", preload, commandOf(installation), ...args], {
    cwd: installation.project,
    env: environmentOf(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
