import { exitCodes, serveUsage } from "@lamplight/server/command";

import type { Command } from "../command.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "serve a store over HTTP",
  usage: serveUsage,
  run: async (args) => {
    const { serve } = await import("@lamplight/server");
    await serve(args, process.env);
    return exitCodes.done;
  },
};
