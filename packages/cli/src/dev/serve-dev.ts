import type { LiveStatus, ViewSource } from "@lamplight/core";
import { docsDirectory } from "@lamplight/docs";
import { createLog, type ServerOptions, startServer } from "@lamplight/server";
import { print, printStyled } from "@lamplight/server/command";
import type { DemoAddress } from "../commands/demo-flags.ts";
import { greetingText } from "./dev-greeting.ts";
import { listenForKeys, openPage } from "./dev-keys.ts";
import { SAMPLE_KEY } from "./sample-server.ts";

/** A chain that is served, whether it runs in this process or in a node. */
export interface DevChain {
  readonly viewSource: ViewSource;
  readonly status: () => LiveStatus;
  readonly searchStatus: NonNullable<ServerOptions["searchStatus"]>;
  /** Receives lines of text. */
  readonly about: readonly string[];
  /** Arguments of `lamplight call`; null = none. */
  readonly example: string | null;
  /** Ends when the chain does, and rejects when it cannot go on. */
  readonly run: () => Promise<unknown>;
}

export interface DevRun {
  readonly address: DemoAddress;
  /** When the command began, by the clock of `performance`. */
  readonly startMs: number;
  readonly stopped: Promise<unknown>;
}

/** Serves a chain, greets, and listens to keys until it is stopped. */
export const serveDev = async (chain: DevChain, { address, startMs, stopped }: DevRun): Promise<void> => {
  const { viewSource, status, searchStatus, about, example } = chain;
  const log = createLog("warn");
  const options = {
    keys: [SAMPLE_KEY],
    publicKey: SAMPLE_KEY,
    docsDirectory,
    log,
    liveStatus: status,
    searchStatus,
  };
  const server = await startServer({ ...address, ...options, viewSource });
  const { url } = server;
  const { isListening, release } = listenForKeys(
    [{ key: "o", what: "open the documentation", run: () => openPage(`${url}/`, print) }],
    print,
  );
  try {
    const readyMs = performance.now() - startMs;
    const greeting = greetingText({ url, key: SAMPLE_KEY, readyMs, about, example, hasKeys: isListening });
    printStyled(process.stdout, `${greeting}\n`);
    await Promise.race([stopped, chain.run()]);
  } finally {
    release();
    await server.stop();
  }
};
