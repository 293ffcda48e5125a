// `npm start`: checks the port and the temporary folder before the build, which takes a minute on a clean machine; then builds and serves the demo.
// Runs from sources, since nothing is built yet. Node and turbo are those of the repository, which npm puts on the PATH.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { addressOptions, chooseDevAddress, createDevFolder } from "@lamplight/cli";
import { parseFlags, reportFailure } from "@lamplight/server/command";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const lamplight = fileURLToPath(new URL("../../../packages/cli/bin/lamplight.js", import.meta.url));

/** Exit code of a program, which gets our signals: a terminal sends Ctrl-C to both, a process manager only to us. */
const untilExit = async (child: ChildProcess): Promise<number> => {
  const forward = (signal: NodeJS.Signals): void => {
    if (signal !== "SIGINT") child.kill(signal);
  };
  process.on("SIGINT", forward).on("SIGTERM", forward);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code ?? 1;
  } finally {
    process.off("SIGINT", forward).off("SIGTERM", forward);
  }
};

/** Builds. The output of turbo matters only where it fails. */
const build = async (): Promise<number> => {
  const child = spawn("turbo", ["run", "build", "--output-logs=errors-only"], {
    cwd: root,
    stdio: ["inherit", "pipe", "pipe"],
  });
  let printed = "";
  const keep = (chunk: string): void => {
    printed = (printed + chunk).slice(-PRINTED_CHARS_MAX);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
  const exitCode = await untilExit(child);
  if (exitCode !== 0) process.stderr.write(printed);
  return exitCode;
};

const PRINTED_CHARS_MAX = 1 << 20;

const start = async (args: readonly string[]): Promise<number> => {
  if (!args.includes("--help") && !args.includes("-h")) {
    await chooseDevAddress(parseFlags(args, addressOptions), process.env);
    await (await createDevFolder()).remove();
  }
  const built = await build();
  if (built !== 0) return built;
  return untilExit(spawn(process.execPath, [lamplight, "demo", ...args], { cwd: root, stdio: "inherit" }));
};

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, "lamplight");
}
