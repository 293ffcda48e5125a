import { join } from "node:path";
import { styleText } from "node:util";
import { demoAddresses } from "@lamplight/devchain";
import { docsDirectory } from "@lamplight/docs";
import { apiVersion, createLog } from "@lamplight/server";
import { exitCodes, printStyled } from "@lamplight/server/command";
import { untilStopSignal } from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { SAMPLE_KEY, startSampleServer } from "../dev/sample-server.ts";
import { createDemoFolder } from "./demo-folder.ts";
import { chooseDemoAddress, type DemoAddress, demoUsage } from "./demo-flags.ts";

export const demoCommand: Command = {
  name: "demo",
  summary: "serve a generated sample chain",
  usage: demoUsage,
  run: async (args) => {
    const address = await chooseDemoAddress(args, process.env);
    // From here on the folder has to be deleted, whenever the signal comes.
    const stopped = untilStopSignal();
    // Made each time: it takes a moment, and an old one could have been written by another version.
    const folder = await createDemoFolder();
    try {
      const file = join(folder.path, "demo.db");
      const startedMs = performance.now();
      await serveDemo(file, address, stopped, (url) =>
        greeting({ url, file, tookMs: performance.now() - startedMs }),
      );
    } finally {
      await folder.remove();
    }
    return exitCodes.done;
  },
};

const serveDemo = async (
  file: string,
  address: DemoAddress,
  stopped: Promise<unknown>,
  greet: (url: string) => string,
): Promise<void> => {
  const server = await startSampleServer({ ...address, file, docsDirectory, log: createLog("warn") });
  try {
    printStyled(process.stdout, `${greet(server.url)}\n`);
    await stopped;
  } finally {
    await server.stop();
  }
};

interface Greeting {
  readonly url: string;
  readonly file: string;
  readonly tookMs: number;
}

/** The addresses come last, where a person looks after a start. */
const greeting = ({ url, file, tookMs }: Greeting): string => `
  ${styled(["bold", "yellow"], "LAMPLIGHT")} ${apiVersion}  sample chain ready in ${Math.round(tookMs)} ms

  Assets of every kind in sqlite:${file}, deleted when Ctrl-C stops this

  curl -s ${url}/v3/${SAMPLE_KEY} -H 'Content-Type: application/json' -d '${firstCall}'

  ${arrow}  API       ${styled("cyan", `${url}/v3/${SAMPLE_KEY}`)}
  ${arrow}  Explorer  ${styled("cyan", `${url}/explore/`)}
  ${arrow}  Docs      ${styled("cyan", `${url}/`)}
`;

/** In color on a terminal, unless `NO_COLOR` is set. */
const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout });
const arrow = styled("yellow", "➜");

const firstCall = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "getAsset",
  params: [demoAddresses.nft],
});
