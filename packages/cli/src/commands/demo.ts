import { demoAddresses } from "@lamplight/devchain";
import { exitCodes, parseFlags } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { addressOptions, addressUsage, chooseDevAddress } from "../dev/dev-address.ts";
import { metricsOptions, metricsUsage, readMetricsAddress } from "../metrics-flags.ts";
import { methodsOptions, methodsUsage, readDevMethods } from "../dev/dev-methods.ts";
import { openSampleChain } from "../dev/sample-server.ts";
import { type DevRun, runDev, serveDev } from "../dev/serve-dev.ts";

const usage = `[--host HOST] [--port PORT] [--methods das] [--metrics-port PORT]
           [--metrics-host HOST]

${addressUsage}
${methodsUsage}
${metricsUsage}

Serves a small generated chain from a store of its own, which is deleted when the command ends. lamplight dev serves the
same chain with new slots.

Examples:
  lamplight demo --port 8000
  lamplight demo --methods das`;

/** `lamplight dev` with a chain that stands still. */
export const demoCommand: Command = {
  name: "demo",
  summary: "serve a generated sample chain",
  usage,
  run: async (args) => {
    const startMs = performance.now();
    const values = parseFlags(args, { ...addressOptions, ...methodsOptions, ...metricsOptions });
    const metrics = readMetricsAddress(values);
    const methods = readDevMethods(values, process.env);
    const address = await chooseDevAddress(values, process.env);
    await runDev({ address, metrics, methods, startMs }, serveDemo);
    return exitCodes.done;
  },
};

const serveDemo = async (run: DevRun): Promise<void> => {
  const chain = await openSampleChain(run.file);
  const { viewSource, search } = chain;
  const about = [`Assets of every kind in sqlite:${run.file}, which is deleted at the end.`];
  try {
    await serveDev({ viewSource, searchStatus: () => search.status(), about, example: curlLine }, run);
  } finally {
    await chain.stop();
  }
};

const curlLine = (api: string): string =>
  `curl -s ${api} -H 'Content-Type: application/json' -d '${firstCall}'`;

const firstCall = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "getAsset",
  params: [demoAddresses.nft],
});
