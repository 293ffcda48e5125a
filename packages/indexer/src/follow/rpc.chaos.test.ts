// An ordinary RPC node on loopback, from its sockets to the store, through everything that such nodes do: lost
// connections, limits, nodes that are behind, notifications that never come or come twice or late, no WebSocket at all.
// Readers in the meantime never see a state that is newer than its slot or made up. At every commitment, every method
// answers the same as a naive model of the reported slots. This is the chain's state at quiet moments.

import { describe, test } from "vitest";
import { RpcChaos } from "../../test/rpc-chaos.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? (process.env["LAMPLIGHT_FORK_SEED"] ? 1 : 6));

describe("following an RPC node", () => {
  test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
    "seed %i: through its sockets nothing is made up, and everything is true at quiet moments",
    async (seed) => {
      try {
        await new RpcChaos(seed).run();
      } catch (error) {
        console.error(
          `repeat with: LAMPLIGHT_FORK_SEED=${seed} npx vitest run packages/indexer/src/follow/rpc.chaos.test.ts`,
        );
        throw error;
      }
    },
  );
});
