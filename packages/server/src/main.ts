// `lamplight-server`: the server alone, for deployment. The `lamplight` command has the same as `lamplight serve`.
import { setUsableMemory } from "@lamplight/core";
import { exitCodes, reportFailure } from "./command/failure.ts";
import { parseServeFlags, serveUsage } from "./command/serve-flags.ts";
import { ignoreDebuggerSignal } from "@lamplight/runtime";
import { serve } from "./command/serve.ts";
import { print } from "./command/terminal.ts";
import { apiVersion } from "./version.ts";

const name = "lamplight-server";

const run = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help") || args.includes("-h")) {
    print(`${name} ${serveUsage}\n\nExample:\n  ${name} --store sqlite:index.db --key secret`);
    return exitCodes.done;
  }
  if (args.includes("--version")) {
    print(apiVersion);
    return exitCodes.done;
  }
  await serve(parseServeFlags(args), process.env);
  return exitCodes.done;
};

ignoreDebuggerSignal();
setUsableMemory(process.env["LAMPLIGHT_MEMORY_BYTES"]);
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, name);
}
