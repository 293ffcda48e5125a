import { join } from "node:path";
import { type Consensus, SLOT_MS_FIRST } from "@lamplight/core";
import { DEFAULT_PORT, exitCodes } from "@lamplight/server/command";
import { untilStopSignal } from "@lamplight/runtime";
import { parseEndpoint } from "@lamplight/sources/rpc";
import { loadClones } from "../clone/load-clones.ts";
import type { Command } from "../command.ts";
import { type EmbeddedFlags, type NodeFlags, readDevFlags } from "../dev/dev-flags.ts";
import { EmbeddedChain, FINAL_AFTER_SLOTS } from "../dev/embedded-chain.ts";
import { findLocalNode } from "../dev/find-local-node.ts";
import { NodeChain } from "../dev/node-chain.ts";
import { type DevRun, serveDev } from "../dev/serve-dev.ts";
import { createDemoFolder } from "./demo-folder.ts";
import { say } from "./follow-until-stopped.ts";

const usage = `[--host HOST] [--port PORT] [--slot-ms N] [--seed N] [--alpenglow] [--clone ADDRESS]…
           [--clone-collection ADDRESS]… [--clone-owner ADDRESS]… [--from URL] [--clone-file FILE]
       lamplight dev --rpc URL [--host HOST] [--port PORT] [--ws URL | --no-ws] [--rescan-seconds N]
           [--documents-origin ORIGIN]…

  --host     address to listen on (127.0.0.1); or LAMPLIGHT_HOST
  --port     port to listen on (${DEFAULT_PORT}, or the next free one); or LAMPLIGHT_PORT. 0 picks any free one
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
    const { address, chain } = await readDevFlags(args, process.env);
    // From here on the folder has to be deleted, whenever the signal comes.
    const stopping = new AbortController();
    const stopped = untilStopSignal().then(() => stopping.abort());
    const folder = await createDemoFolder();
    const file = join(folder.path, "dev.db");
    const run = { address, startMs, stopped };
    try {
      if (chain.kind === "embedded") await serveEmbedded(file, chain, run);
      else await serveNode(file, chain, run, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    } finally {
      await folder.remove();
    }
    return exitCodes.done;
  },
};

const serveEmbedded = async (
  file: string,
  { slotMs, seed, consensus, clones }: EmbeddedFlags,
  run: DevRun,
): Promise<void> => {
  const looking = findLocalNode();
  const cloned = clones === null ? [] : await loadClones(clones, say);
  const chain = await EmbeddedChain.open({ file, seed, cloned, consensus });
  const { wallets, collections, living } = chain.living;
  const node = await looking;
  try {
    await serveDev(
      {
        viewSource: chain.viewSource,
        status: () => chain.status(),
        searchStatus: () => chain.search.status(),
        about: [
          `A slot every ${slotMs} ms, seed ${seed}: ${wallets.length} wallets trade ${living.length} assets of ${collections.length} collections.`,
          finalizedLine(consensus),
          ...(cloned.length === 0 ? [] : [`${cloned.length} accounts of another chain are there, too.`]),
          ...(node === null ? [] : [`A node answers at ${node}; lamplight dev --rpc ${node} follows it.`]),
        ],
        example: `searchAssets ownerAddress=${wallets[0]!.address} limit=2`,
        run: () => chain.run(slotMs),
      },
      run,
    );
  } finally {
    await chain.stop();
  }
};

/** Why the finalized slot does not move for a while after the start. */
const finalizedLine = (consensus: Consensus): string =>
  consensus === "alpenglow"
    ? "A confirmed slot is finalized at once, as under Alpenglow."
    : `The finalized slot is ${FINAL_AFTER_SLOTS.towerbft} slots behind, as under TowerBFT, and waits for them first; --alpenglow finalizes at once.`;

const serveNode = async (
  file: string,
  { rpc, documentsOrigins }: NodeFlags,
  run: DevRun,
  signal: AbortSignal,
): Promise<void> => {
  const { name } = parseEndpoint(rpc.url, ["http:", "https:"]);
  const chain = await NodeChain.open({ file, rpc, documentsOrigins, say, signal });
  const { live } = chain;
  try {
    await serveDev(
      {
        viewSource: live.viewSource,
        status: () => live.status(),
        searchStatus: () => live.searchStatus(),
        about: [
          `Follows everything at ${name}.`,
          documentsOrigins.length === 0
            ? "Metadata documents are not fetched; --documents-origin names where they may be."
            : `Metadata documents are fetched from ${documentsOrigins.join(", ")} alone.`,
        ],
        example: 'searchAssets sortBy=\'{"sortBy":"created"}\' limit=3',
        run: () => live.ended,
      },
      run,
    );
  } finally {
    await chain.stop();
  }
};
