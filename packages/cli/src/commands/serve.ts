import { exitCodes, serveUsage } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { takeFollowFlags } from "./follow-flags.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "serve a store over HTTP",
  usage: `${serveUsage}

  --follow yellowstone=URL  keep the store in step with that Yellowstone gRPC server while serving it, and answer
                            processed and confirmed from what is not rooted yet; /readyz tells how it goes.
                            LAMPLIGHT_YELLOWSTONE_TOKEN is sent as x-token, and the RPC node LAMPLIGHT_REPAIR_RPC is
                            asked for what the server cannot replay
  --follow rpc[=URL]        the same with an ordinary RPC node, URL or LAMPLIGHT_RPC_URL; fills the store first where it
                            lacks something, and makes it when there is none. Takes what lamplight follow rpc takes:
                            --ws, --no-ws, --program, --account, --mint, --tree, --census-seconds, --poll-seconds
  --metrics-port PORT       with --follow: /metrics (Prometheus) on this port of 127.0.0.1`,
  run: async (args) => {
    const { follow, rest } = takeFollowFlags(args);
    const { serve } = await import("@lamplight/server");
    const openLive = follow === null ? null : (await import("./follow-serve.ts")).openLiveStore(follow);
    await serve(rest, process.env, openLive);
    return exitCodes.done;
  },
};
