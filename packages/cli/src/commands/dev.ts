import { SLOT_MS_FIRST } from "@lamplight/core";
import { exitCodes } from "@lamplight/server/command";
import { parseEndpoint } from "@lamplight/sources/addresses";
import type { Command } from "../command.ts";
import { followMetrics } from "@lamplight/runtime/follow";
import { addressUsage } from "../dev/dev-address.ts";
import { methodsUsage } from "../dev/dev-methods.ts";
import { type NodeFlags, readDevFlags } from "../dev/dev-flags.ts";
import { callLine } from "../dev/dev-greeting.ts";
import { NodeChain } from "../dev/node-chain.ts";
import { type DevRun, runDev, serveDev } from "../dev/serve-dev.ts";
import { serveEmbedded } from "../dev/serve-embedded.ts";
import { metricsUsage } from "../metrics-flags.ts";
import { say } from "../output.ts";

const usage = `[--host HOST] [--port PORT] [--slot-ms N] [--seed N] [--alpenglow] [--clone ADDRESS]…
           [--clone-collection ADDRESS]… [--clone-owner ADDRESS]… [--from URL] [--clone-file FILE]
           [--methods das] [--metrics-port PORT] [--metrics-host HOST]
       lamplight dev --rpc URL [--host HOST] [--port PORT] [--ws URL | --no-ws] [--rescan-seconds N]
           [--documents-origin ORIGIN]… [--methods das] [--metrics-port PORT] [--metrics-host HOST]

${addressUsage}
${methodsUsage}
${metricsUsage}
  --slot-ms  milliseconds between two slots (${SLOT_MS_FIRST})
  --seed     of the sample chain (1): the same seed makes the same assets and the same sales
  --alpenglow  confirmed slots are finalized at once, as under Alpenglow; default: 32 slots later, as under TowerBFT
  --clone    copy an account of another chain, with the accounts that describe the same asset
  --clone-collection  copy a collection with its assets; --clone-owner: a wallet with what it holds. These three may be
             repeated. Compressed assets have no accounts and are not copied
  --from     node to read them from, or LAMPLIGHT_CLONE_FROM; a collection of Token Metadata needs one with searchAssets
  --clone-file  where they are kept (lamplight-clone.ndjson). What is in the file is not read again
  --rpc      follow a local node instead, such as solana-test-validator or surfpool: everything that it has
  --ws, --no-ws, --rescan-seconds  as in lamplight follow rpc; a full rescan every 5 seconds by default
  --documents-origin  fetch metadata documents from this origin on this machine, such as http://127.0.0.1:3000.
             May be repeated. Nothing else is fetched

Serves a sample chain with new slots: assets of every kind are minted, sold and burnt. A slot is confirmed at once.
lamplight demo serves the sample chain at rest. The data is deleted when the command ends.
On a terminal, o opens the documentation and h lists the keys.

Examples:
  lamplight dev --slot-ms 1000
  lamplight dev --clone-collection ADDRESS --from https://rpc.example
  lamplight dev --rpc http://127.0.0.1:8899`;

export const devCommand: Command = {
  name: "dev",
  summary: "serve a sample chain with new slots, or a local node, for development",
  usage,
  run: async (args) => {
    const startMs = performance.now();
    const { chain, ...given } = await readDevFlags(args, process.env);
    await runDev({ ...given, startMs }, (run) =>
      chain.kind === "embedded" ? serveEmbedded(chain, run) : serveNode(chain, run),
    );
    return exitCodes.done;
  },
};

const serveNode = async ({ rpc, documentsOrigins }: NodeFlags, run: DevRun): Promise<void> => {
  const { name } = parseEndpoint(rpc.url, ["http:", "https:"]);
  const { file, signal } = run;
  const chain = await NodeChain.open({ file, rpc, documentsOrigins, say, signal });
  const { live } = chain;
  try {
    await serveDev(
      {
        viewSource: live.viewSource,
        status: () => live.status(),
        metrics: () => followMetrics(live),
        searchStatus: () => live.searchStatus(),
        about: [
          `Follows everything at ${name}.`,
          documentsOrigins.length === 0
            ? "Metadata documents are not fetched; --documents-origin names where they may be."
            : `Metadata documents are fetched from ${documentsOrigins.join(", ")} alone.`,
        ],
        example: callLine('searchAssets sortBy=\'{"sortBy":"created"}\' limit=3'),
        run: () => live.ended,
      },
      run,
    );
  } finally {
    await chain.stop();
  }
};
