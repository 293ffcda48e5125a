import { exitCodes, parseFlags, serveOptions, serveUsage } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { givenEnvironment } from "../given-environment.ts";
import { readBetween } from "./follow-flags.ts";
import { readFollowedSource, serveFollowOptions } from "./serve-follow-flags.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "serve a store over HTTP",
  usage: `${serveUsage}

  --follow yellowstone=URL  keep the store in sync with a Yellowstone gRPC server, and answer processed and confirmed from
                            slots that are not finalized; /v3/<API_KEY>/readyz shows its state.
                            LAMPLIGHT_YELLOWSTONE_TOKEN is sent as x-token; LAMPLIGHT_REPAIR_RPC is the RPC node for
                            slots that the server cannot replay
  --follow rpc[=URL]        the same with an RPC node (URL or LAMPLIGHT_RPC_URL). Creates and fills the store if needed.
                            Accepts the options of lamplight follow rpc:
                            --ws, --no-ws, --program, --account, --mint, --tree, --rescan-seconds, --poll-seconds
  --no-derive               with --follow, after an upgrade that changed rules: keep to the rules of the store
  --no-sample               with --follow: do not compare a stored asset a second with what its accounts make

Examples:
  lamplight serve --store sqlite:index.db --key secret
  lamplight serve --store sqlite:local.db --key demo --follow rpc=http://127.0.0.1:8899`,
  run: async (args) => {
    const flags = parseFlags(args, { ...serveOptions, ...serveFollowOptions });
    const follow = readFollowedSource(flags, process.env);
    const { serve } = await import("@lamplight/server");
    const live =
      follow === null
        ? null
        : (await import("./follow-serve.ts")).liveStoreOpener(follow, readBetween(flags));
    await serve(flags, givenEnvironment, live);
    return exitCodes.done;
  },
};
