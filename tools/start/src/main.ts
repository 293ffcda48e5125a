// `npm start`: checks the port before the build, which takes a minute on a clean machine; then builds and serves the demo.
// Runs from sources, since nothing is built yet. Node and turbo are those of the repository, which npm puts on the PATH.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { chooseDemoAddress } from "@lamplight/cli";
import { reportFailure } from "@lamplight/server/command";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const lamplight = fileURLToPath(new URL("../../../packages/cli/bin/lamplight.js", import.meta.url));

/** Exit code of a program, which gets our signals: a terminal sends Ctrl-C to both, a process manager only to us. */
const run = async (program: string, args: readonly string[]): Promise<number> => {
  const child = spawn(program, args, { cwd: root, stdio: "inherit" });
  const forward = (signal: NodeJS.Signals): void => {
    if (signal !== "SIGINT") child.kill(signal);
  };
  process.on("SIGINT", forward).on("SIGTERM", forward);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  } finally {
    process.off("SIGINT", forward).off("SIGTERM", forward);
  }
};

const start = async (args: readonly string[]): Promise<number> => {
  if (!args.includes("--help") && !args.includes("-h")) await chooseDemoAddress(args, process.env);
  const built = await run("turbo", ["run", "build", "--output-logs=errors-only"]);
  return built === 0 ? run(process.execPath, [lamplight, "demo", ...args]) : built;
};

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, "lamplight");
}
