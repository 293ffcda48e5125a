import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { demoChain } from "@lamplight/devchain";
import { LamplightError } from "@lamplight/errors";
import { startServer } from "@lamplight/server";
import type { OpenLab } from "../lab.ts";
import type { Case, Suite } from "../outcome.ts";
import { type Exchange, parseTranscript, recordTranscript } from "./transcript-file.ts";
import { sameText } from "./vector-numbers.ts";

const keyText = "demo";

export interface TranscriptOptions {
  /** A server that holds the demo chain, ending in its key; null = one is started here. */
  readonly url: string | null;
  /** Write what the server answers into the files instead of comparing. */
  readonly record: boolean;
}

/** A folder of `*.io` transcripts over the demo chain: each exchange is a case, answers are compared to the letter. */
export const openTranscriptSuite = async (
  folder: string,
  openLab: OpenLab,
  options: TranscriptOptions,
): Promise<Suite> => {
  const files = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".io")).toSorted()) {
    files.push(await readTranscript(join(folder, name)));
  }
  const { url, stop } =
    options.url === null ? await startDemoServer(openLab) : { url: options.url, stop: async () => {} };
  const cases = files.flatMap((file): readonly Case[] =>
    options.record
      ? [{ name: `${basename(file.path)} is recorded`, run: () => record(file, url) }]
      : file.exchanges.map((exchange) => caseOf(basename(file.path, ".io"), exchange, url)),
  );
  return { cases, close: stop };
};

interface Transcript {
  readonly path: string;
  readonly text: string;
  readonly exchanges: readonly Exchange[];
}

const readTranscript = async (path: string): Promise<Transcript> => {
  const text = await readFile(path, "utf8");
  try {
    return { path, text, exchanges: parseTranscript(text) };
  } catch (cause) {
    throw new LamplightError("SOURCE__BAD_DUMP", { file: path, reason: (cause as Error).message }, { cause });
  }
};

const caseOf = (file: string, exchange: Exchange, url: string): Case => ({
  name: `${file}/${exchange.intent} (line ${exchange.line})`,
  run: async () =>
    exchange.response === null
      ? ["no response is recorded"]
      : sameText("response", await send(url, exchange), exchange.response),
});

const record = async ({ path, text, exchanges }: Transcript, url: string): Promise<readonly string[]> => {
  const responses: string[] = [];
  for (const exchange of exchanges) responses.push(await send(url, exchange));
  await writeFile(path, recordTranscript(text, responses));
  return [];
};

const send = async (url: string, exchange: Exchange): Promise<string> => {
  const headers = new Headers({ "content-type": "application/json" });
  for (const header of exchange.headers) {
    const colon = header.indexOf(":");
    headers.set(header.slice(0, colon), header.slice(colon + 1).trim());
  }
  const response = await fetch(url, { method: "POST", headers, body: exchange.request });
  return response.text();
};

const startDemoServer = async (openLab: OpenLab): Promise<{ url: string; stop: () => Promise<void> }> => {
  const lab = await openLab();
  for (const { accounts } of demoChain()) await lab.indexAccounts(accounts);
  const server = await startServer({
    viewSource: await lab.viewSource(),
    keys: [keyText],
    port: 0,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await lab.close();
  };
  return { url: `${server.url}/v3/${keyText}`, stop };
};
