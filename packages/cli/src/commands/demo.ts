import { join } from "node:path";
import { styleText } from "node:util";
import { demoAddresses } from "@lamplight/devchain";
import { docsDirectory } from "@lamplight/docs";
import { apiVersion, createLog, startServer } from "@lamplight/server";
import { exitCodes, printStyled } from "@lamplight/server/command";
import { untilStopSignal } from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { EmbeddedChain } from "../dev/embedded-chain.ts";
import { createDemoFolder } from "./demo-folder.ts";
import { chooseDemoAddress, type DemoAddress, demoUsage } from "./demo-flags.ts";

const DEMO_KEY = "demo";

/** `lamplight dev` serves the same chain, and moves it. */
const DEMO_SEED = 1;

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
  const chain = await EmbeddedChain.open({ file, seed: DEMO_SEED, cloned: [], consensus: "towerbft" });
  try {
    const { viewSource, search } = chain;
    const log = createLog("warn");
    const options = { ...address, keys: [DEMO_KEY], publicKey: DEMO_KEY, docsDirectory, log };
    const server = await startServer({ viewSource, searchStatus: () => search.status(), ...options });
    printStyled(process.stdout, `${greet(server.url)}\n`);
    await stopped;
    await server.stop();
  } finally {
    await chain.stop();
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

  curl -s ${url}/v3/${DEMO_KEY} -H 'Content-Type: application/json' -d '${firstCall}'

  ${arrow}  API       ${styled("cyan", `${url}/v3/${DEMO_KEY}`)}
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
