import { offchainStatuses, type OffchainStore } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { createIndexer } from "@lamplight/indexer";
import {
  apiVersion,
  exitCodes,
  nameOfStore,
  openStoreForWriting,
  parseWords,
  usageError,
} from "@lamplight/server/command";
import {
  createDirectoryFetcher,
  createNetworkFetcher,
  type DocumentFetcher,
  type NetworkFetcherOptions,
  OffchainWorker,
} from "@lamplight/sources";

import type { Command } from "../command.ts";

const usage = `[URI…] --store URL [--watch] [--from FOLDER] [--ipfs-gateway URL]… [--arweave-gateway URL]…
  [--allow-address IP]… [--allow-port PORT]… [--user-agent TEXT]

  URI                 document to fetch again now, whatever became of it before
  --store             store (sqlite:FILE or postgres://…) whose assets' JSON is fetched; nobody else may be writing it meanwhile
  --watch             go on until stopped: fetch what becomes due and what new assets name
  --from              take documents from a folder instead of the network, each named by the sha256 of its URI in hex
  --ipfs-gateway      in place of the built-in ones, tried in order: https://HOST/ipfs/
  --arweave-gateway   in place of the built-in ones: https://HOST/
  --allow-address     address outside the public internet that may be asked (a gateway of your own)
  --allow-port        port to be asked beside 80, 443 and 8080
  --user-agent        what to tell servers about us; name a place to complain to

Off-chain JSON is fetched by this command and by nothing else. Prints how many URIs are in which state.`;

export const fetchDocumentsCommand: Command = {
  name: "fetch documents",
  summary: "fetch the JSON behind assets' URIs and show it in their content",
  usage,
  run: async (args) => {
    const flags = readFlags(args);
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    process.once("SIGINT", abort).once("SIGTERM", abort);
    try {
      for (const line of await fetchDocuments(flags, stop.signal)) process.stdout.write(`${line}\n`);
    } finally {
      process.off("SIGINT", abort).off("SIGTERM", abort);
    }
    return exitCodes.done;
  },
};

interface Flags {
  readonly store: string;
  readonly watch: boolean;
  readonly uris: readonly string[];
  readonly fetcher: DocumentFetcher;
}

const textOption = { type: "string" } as const;
const listOption = { type: "string", multiple: true } as const;

const options = {
  store: textOption,
  watch: { type: "boolean" },
  from: textOption,
  "ipfs-gateway": listOption,
  "arweave-gateway": listOption,
  "allow-address": listOption,
  "allow-port": listOption,
  "user-agent": textOption,
} as const;

const readFlags = (args: readonly string[]): Flags => {
  const { values, positionals } = parseWords(args, options);
  if (values.store === undefined) throw usageError("--store is missing");
  const ports = values["allow-port"]?.map(parsePort);
  const network: NetworkFetcherOptions = {
    userAgent: values["user-agent"] ?? `lamplight/${apiVersion}`,
    ...(values["ipfs-gateway"] && { ipfsGateways: values["ipfs-gateway"].map(parseGateway) }),
    ...(values["arweave-gateway"] && { arweaveGateways: values["arweave-gateway"].map(parseGateway) }),
    ...(values["allow-address"] && { allowedAddresses: new Set(values["allow-address"]) }),
    ...(ports && { ports: [80, 443, 8080, ...ports] }),
  };
  const fetcher =
    values.from === undefined ? createNetworkFetcher(network) : createDirectoryFetcher(values.from);
  return { store: values.store, watch: values.watch === true, uris: positionals, fetcher };
};

const parsePort = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw usageError(`--allow-port ${JSON.stringify(text.slice(0, 20))} is no port`);
};

const parseGateway = (text: string): string => {
  if (/^https?:/.test(text) && URL.canParse(text)) return text.endsWith("/") ? text : `${text}/`;
  throw usageError(`gateway ${JSON.stringify(text.slice(0, 100))} is no URL`);
};

const fetchDocuments = async (flags: Flags, signal: AbortSignal): Promise<readonly string[]> => {
  const store = await openStoreForWriting(flags.store, { create: false });
  try {
    const { offchain } = store;
    if (offchain === undefined)
      throw new LamplightError("STORE__NOT_A_STORE", {
        store: nameOfStore(flags.store),
        reason: "it keeps no documents",
      });
    const indexer = createIndexer(store);
    const onDocuments = async (ids: readonly Uint8Array[]): Promise<void> => {
      await indexer.refresh(ids);
    };
    const worker = new OffchainWorker({ store: offchain, index: store, fetcher: flags.fetcher, onDocuments });
    await worker.noteChangedAssets();
    await worker.request(flags.uris);
    if (flags.watch) {
      await worker.run(signal);
      return await stateLines(offchain);
    }
    const { fetched, changed, failed } = await worker.fetchDue(signal);
    return [
      `${fetched} fetched: ${changed} new or changed, ${failed} failed`,
      ...(await stateLines(offchain)),
    ];
  } finally {
    await store.close();
  }
};

/** How many URIs are in which state; states of none are left out. */
const stateLines = async (offchain: OffchainStore): Promise<readonly string[]> => {
  const counts = await offchain.countByStatus();
  return offchainStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} × ${status}`);
};
