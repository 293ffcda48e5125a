import type { Consensus } from "@lamplight/core";
import { loadClones } from "../clone/load-clones.ts";
import { say } from "../output.ts";
import type { EmbeddedFlags } from "./dev-flags.ts";
import { callLine } from "./dev-greeting.ts";
import { EmbeddedChain, finalAfterSlots } from "./embedded-chain.ts";
import { findLocalNode } from "./find-local-node.ts";
import { type DevRun, serveDev } from "./serve-dev.ts";

/** Serves the sample chain with new slots. */
export const serveEmbedded = async (
  { slotMs, seed, consensus, clones }: EmbeddedFlags,
  run: DevRun,
): Promise<void> => {
  const looking = findLocalNode();
  const cloned = clones === null ? [] : await loadClones(clones, say);
  const chain = await EmbeddedChain.open({ file: run.file, seed, cloned, consensus });
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
        example: callLine(`searchAssets ownerAddress=${wallets[0]!.address} limit=2`),
        run: () => chain.run(slotMs),
      },
      run,
    );
  } finally {
    await chain.stop();
  }
};

/** The line that explains why the finalized slot does not move for a while after the start. */
const finalizedLine = (consensus: Consensus): string =>
  consensus === "alpenglow"
    ? "A confirmed slot is finalized at once, as under Alpenglow."
    : `The finalized slot is ${finalAfterSlots.towerbft} slots behind, as under TowerBFT, and waits for them first; --alpenglow finalizes at once.`;
