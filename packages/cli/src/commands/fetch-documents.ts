import { offchainStatuses, type OffchainStore } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { apiVersion, exitCodes, type MetricsAddress, parseWords } from "@lamplight/server/command";
import { familyOf, type MetricFamily } from "@lamplight/core";
import { openDocuments } from "@lamplight/runtime";
import {
  createDirectoryFetcher,
  createNetworkFetcher,
  type DocumentFetcher,
  type FetchCounts,
  type NetworkFetcherOptions,
  OffchainWorker,
} from "@lamplight/offchain";

import type { Command } from "../command.ts";
import { metricsOptions, probeAnswer, readMetricsAddress, withMetricsPort } from "../metrics-flags.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";

const usage = `[URI…] --store URL [--watch] [--from FOLDER] [--ipfs-gateway URL]… [--arweave-gateway URL]…
  [--allow-address IP]… [--allow-port PORT]… [--user-agent TEXT] [--metrics-port PORT] [--metrics-host HOST] [--json]

  URI                 document to fetch again now, whatever its state
  --store             store whose assets' JSON is fetched, as sqlite:FILE or postgres://…. Another
                      process may follow the chain into it at the same time
  --watch             run until stopped, and fetch what becomes due and the documents of new assets
  --from              read documents from a folder instead of the network; each file name is the sha256 of its URI in hex
  --ipfs-gateway      replaces the built-in gateways, tried in order: https://HOST/ipfs/
  --arweave-gateway   replaces the built-in gateways: https://HOST/
  --allow-address     address of a gateway of your own outside the public internet; only paths of the gateways above
                      are requested there, never a URL that an asset names
  --allow-port        port that may be requested in addition to 80, 443 and 8080
  --user-agent        sent to servers; include an address for complaints
  --metrics-port      serve /metrics (Prometheus), /readyz and /livez on this port while it runs; 0 picks a free one
  --metrics-host      address for these (127.0.0.1)
  --json              ${jsonUsage}

Only this command fetches off-chain JSON. It prints the number of URIs in each state.

Example:
  lamplight fetch documents --store sqlite:index.db`;

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
      const { counts, states } = await fetchDocuments(flags, stop.signal);
      createOutput(flags.json).result({ event: "fetched", ...counts, states }, [
        ...(counts === null
          ? []
          : [`${counts.fetched} fetched: ${counts.changed} new or changed, ${counts.failed} failed`]),
        ...Object.entries(states).map(([status, count]) => `${count} × ${status}`),
      ]);
    } finally {
      process.off("SIGINT", abort).off("SIGTERM", abort);
    }
    return exitCodes.done;
  },
};

interface Flags {
  readonly store: string;
  readonly json: boolean | undefined;
  readonly watch: boolean;
  readonly uris: readonly string[];
  readonly fetcher: DocumentFetcher;
  readonly metrics: MetricsAddress | null;
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
  ...metricsOptions,
  ...jsonOption,
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
  const { store, json, watch = false } = values;
  return { store, json, watch, uris: positionals, fetcher, metrics: readMetricsAddress(values) };
};

const parsePort = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw usageError(`--allow-port ${JSON.stringify(text.slice(0, 20))} is no port`);
};

const parseGateway = (text: string): string => {
  if (/^https?:[^?#]+$/.test(text) && URL.canParse(text)) return text.endsWith("/") ? text : `${text}/`;
  throw usageError(`gateway ${JSON.stringify(text.slice(0, 100))} is not a URL that a CID or id can follow`);
};

interface Fetched {
  /** Null with `--watch`, which ends when it is stopped. */
  readonly counts: { readonly fetched: number; readonly changed: number; readonly failed: number } | null;
  /** Number of URIs by state; states without any are left out. */
  readonly states: Readonly<Record<string, number>>;
}

const fetchDocuments = async (flags: Flags, signal: AbortSignal): Promise<Fetched> => {
  const store = await openDocuments(flags.store);
  try {
    const { offchain } = store;
    const worker = new OffchainWorker({ store: offchain, index: store, fetcher: flags.fetcher });
    const measured = {
      metrics: () => [documentMetrics(worker.counts)],
      readiness: () => probeAnswer(true, "fetching"),
    };
    return await withMetricsPort(flags.metrics, measured, async () => {
      await worker.noteChangedAssets();
      await worker.request(flags.uris);
      if (flags.watch) {
        await worker.run(signal);
        return { counts: null, states: await statesOf(offchain) };
      }
      const { fetched, changed, failed } = await worker.fetchDue(signal);
      return { counts: { fetched, changed, failed }, states: await statesOf(offchain) };
    });
  } finally {
    await store.close();
  }
};

const counter = (name: string, help: string, value: number): MetricFamily =>
  familyOf(`lamplight_documents_${name}_total`, "counter", help, value);

const documentMetrics = ({ fetched, changed, failed, retried }: FetchCounts): readonly MetricFamily[] => {
  return [
    counter("fetched", "Attempts to fetch a document that ended", fetched),
    counter("changed", "Documents that are new, or differ from the last version", changed),
    counter("failed", "Attempts after which a document is failed or gone", failed),
    counter("retries", "Attempts at a document after one that failed", retried),
  ];
};

const statesOf = async (offchain: OffchainStore): Promise<Fetched["states"]> => {
  const counts = await offchain.countByStatus();
  const present = offchainStatuses.filter((status) => counts[status] > 0);
  return Object.fromEntries(present.map((status) => [status, counts[status]]));
};
