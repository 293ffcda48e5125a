import { type Consensus, SLOT_MS_FIRST } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { type FurtherContract, type MetricsAddress, parseFlags } from "@lamplight/server/command";
import { metricsOptions, readMetricsAddress } from "../metrics-flags.ts";
import { isLoopbackOrigin } from "@lamplight/offchain";
import { parseEndpoint } from "@lamplight/sources/addresses";
import { readAddresses } from "../address-words.ts";
import { isEmptyRequest } from "@lamplight/sources/clone";
import type { CloneFlags } from "../clone/load-clones.ts";
import { addressOptions, chooseDevAddress, type DevAddress } from "./dev-address.ts";
import { methodsOptions, readDevMethods } from "./dev-methods.ts";
import type { RpcUpstream } from "@lamplight/runtime/follow";
import { readRpcFlags } from "../follow-rpc-flags.ts";
import { SAMPLE_SEED } from "./sample-server.ts";

export interface DevFlags {
  readonly address: DevAddress;
  readonly metrics: MetricsAddress | null;
  readonly methods: readonly FurtherContract[];
  readonly chain: EmbeddedFlags | NodeFlags;
}

/** A chain of this process. */
export interface EmbeddedFlags {
  readonly kind: "embedded";
  readonly slotMs: number;
  readonly seed: number;
  readonly consensus: Consensus;
  /** Null = nothing is cloned. */
  readonly clones: CloneFlags | null;
}

/** A node that is followed. */
export interface NodeFlags {
  readonly kind: "node";
  readonly rpc: RpcUpstream;
  readonly documentsOrigins: readonly string[];
}

const SLOT_MS_MAX = 3_600_000;
const SEED_MAX = 2 ** 32 - 1;

const cloneFileDefault = "lamplight-clone.ndjson";

const ofEmbedded = {
  "slot-ms": { type: "string" },
  seed: { type: "string" },
  alpenglow: { type: "boolean" },
  clone: { type: "string", multiple: true },
  "clone-collection": { type: "string", multiple: true },
  "clone-owner": { type: "string", multiple: true },
  "clone-file": { type: "string" },
  from: { type: "string" },
} as const;

const ofNode = {
  ws: { type: "string" },
  "no-ws": { type: "boolean" },
  "rescan-seconds": { type: "string" },
  "documents-origin": { type: "string", multiple: true },
} as const;

const options = {
  ...addressOptions,
  ...methodsOptions,
  ...metricsOptions,
  rpc: { type: "string" },
  ...ofEmbedded,
  ...ofNode,
} as const;

type Values = ReturnType<typeof parseFlags<typeof options>>;

/** @throws LamplightError as `chooseDevAddress` */
export const readDevFlags = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<DevFlags> => {
  const values = parseFlags(args, options);
  const chain =
    values.rpc === undefined ? readEmbedded(values, environment) : readNode(values.rpc, values, environment);
  const metrics = readMetricsAddress(values);
  const methods = readDevMethods(values, environment);
  return { address: await chooseDevAddress(values, environment), metrics, methods, chain };
};

const readEmbedded = (values: Values, environment: NodeJS.ProcessEnv): EmbeddedFlags => {
  const stray = strayOf(values, ofNode);
  if (stray !== undefined) throw usageError(`--${stray} needs --rpc`);
  return {
    kind: "embedded",
    slotMs: readWhole("--slot-ms", values["slot-ms"], 1, SLOT_MS_MAX) ?? SLOT_MS_FIRST,
    seed: readWhole("--seed", values.seed, 0, SEED_MAX) ?? SAMPLE_SEED,
    consensus: values.alpenglow === true ? "alpenglow" : "towerbft",
    clones: readClones(values, environment),
  };
};

const readClones = (values: Values, environment: NodeJS.ProcessEnv): CloneFlags | null => {
  const request = {
    addresses: readAddresses("--clone", values.clone),
    collections: readAddresses("--clone-collection", values["clone-collection"]),
    owners: readAddresses("--clone-owner", values["clone-owner"]),
  };
  const isEmpty = isEmptyRequest(request);
  if (isEmpty && values.from !== undefined)
    throw usageError("--from needs --clone, --clone-collection or --clone-owner");
  if (isEmpty && values["clone-file"] === undefined) return null;
  const from = values.from ?? (environment["LAMPLIGHT_CLONE_FROM"] || null);
  if (from !== null) parseEndpoint(from, ["http:", "https:"]);
  return { request, file: values["clone-file"] ?? cloneFileDefault, from };
};

const readNode = (url: string, values: Values, environment: NodeJS.ProcessEnv): NodeFlags => {
  const stray = strayOf(values, ofEmbedded);
  if (stray !== undefined) throw usageError(`--${stray} and --rpc exclude each other`);
  const { "documents-origin": origins = [] } = values;
  const wrong = origins.find((origin) => !isLoopbackOrigin(origin));
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong.slice(0, 64));
    throw usageError(
      `--documents-origin takes an origin on this machine, such as http://127.0.0.1:3000; got ${shown}`,
    );
  }
  return { kind: "node", rpc: readRpcFlags(url, values, environment), documentsOrigins: origins };
};

const strayOf = (values: Values, group: object): string | undefined =>
  Object.keys(group).find((name) => values[name as keyof Values] !== undefined);

const readWhole = (flag: string, text: string | undefined, from: number, to: number): number | null => {
  if (text === undefined) return null;
  const value = Number(text);
  if (/^\d{1,10}$/u.test(text) && value >= from && value <= to) return value;
  throw usageError(`${flag} must be a whole number from ${from} to ${to}`);
};
