import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

import { contractDocument, type ContractDocument } from "@lamplight/contract";
import { createMethodSettings, type LiveStatus, type ViewSource } from "@lamplight/core";

import { LamplightError } from "@lamplight/errors";

import { defaultSettings, type ServerSettings } from "./config/settings.ts";
import { isLoopbackHost } from "./http/address.ts";
import { AllowedHosts } from "./http/allowed-hosts.ts";
import { createBaseUrl } from "./http/base-url.ts";
import { HttpTransport, type ServerLoad } from "./http/http-transport.ts";
import { createPicturePolicy } from "./http/picture-policy.ts";
import { Readiness, type ReadinessAnswer, type SearchReport } from "./http/probes.ts";
import { HttpPages } from "./http/http-pages.ts";
import { StaticSite } from "./http/static-site.ts";
import { findWeakKey, KEY_CHARS_MIN, KeyRing } from "./keys.ts";
import type { WorkerGate } from "./gate/gate-memory.ts";
import type { StoredKey } from "./gate/key-account.ts";
import type { KeyCellsMemory } from "./gate/key-cells.ts";
import type { KeyCosts } from "./key-store/key-costs.ts";
import { KeyMeter } from "./gate/key-meter.ts";
import type { Limits } from "./limits.ts";
import { type Log, silentLog } from "./log/log.ts";
import { type ServerCounts, ServerEvents } from "./log/server-events.ts";
import type { RequestObserver } from "./observe/request-record.ts";
import { StoreDamage } from "./readiness/store-damage.ts";
import type { CallObserver } from "./rpc/observer.ts";
import { Discovery } from "./rpc/discovery.ts";
import { mainContract, type ServedContract } from "./rpc/served-contract.ts";
import { StrictRouter } from "./rpc/strict-router.ts";
import { apiVersion } from "./version.ts";

export interface ServerOptions extends Partial<Omit<ServerSettings, "limits">> {
  readonly viewSource: ViewSource;
  /** False = without a port: connections come through `accept` only. Default true. */
  readonly listens?: boolean;
  /** Whether other servers of this process listen on the same port; the system spreads connections. Default false. */
  readonly sharesPort?: boolean;
  /** The memory where it counts what callers hold together with those servers. Default: it is alone. */
  readonly shared?: WorkerGate;
  /** Default: the contract of this version. */
  readonly document?: ContractDocument;
  /** Folder of the documentation; null = none is served. */
  readonly docsDirectory?: string | null;
  readonly limits?: Partial<Limits>;
  /** For `/readyz` where this process knows of a chain that is followed; absent = it does not. */
  readonly liveStatus?: () => LiveStatus | Promise<LiveStatus>;
  /** Reported by `/readyz` where a search index is kept in memory. */
  readonly searchStatus?: () => SearchReport | null;
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** Called once per answered call. Slow ones are logged in any case. */
  readonly observe?: CallObserver | null;
  /** Keys of a key store, and where their calls are counted. Default: there is none. */
  readonly servedKeys?: ServedKeys | null;
  /** Called for each HTTP request; default: none, and answers do not repeat `X-Request-Id`. */
  readonly requests?: RequestObserver | null;
}

/** The keys of a key store, as a server needs them. */
export interface ServedKeys {
  readonly stored: readonly StoredKey[];
  readonly cells: KeyCellsMemory;
  readonly costs: KeyCosts;
}

export interface RunningServer {
  /** `http://127.0.0.1:5267`, with the real port. */
  readonly url: string;
  readonly port: number;
  /** Serves a connection that another part of this process holds the other end of. */
  accept(stream: Duplex): void;
  /**
   * Takes these keys from now on, and the public one. Calls in progress are finished.
   *
   * @throws LamplightError `CONFIG__INVALID` for a short key, and the keys stay as they were
   */
  useKeys(keys: readonly string[]): void;
  /** The same of the keys of a key store. */
  useStoredKeys(stored: readonly StoredKey[]): void;
  /** Counts of what callers have run into so far, by name. */
  counts(): ServerCounts;
  /** The amounts that callers hold now, by name. */
  load(): ServerLoad;
  /** The answer of `/readyz`, with all details. */
  readiness(): Promise<ReadinessAnswer>;
  /**
   * Not ready from now on; refuses new connections after `limits.lameDuckMs`, then lets calls under way finish within
   * `limits.drainMs`. Resolves when the last connection is closed.
   */
  stop(): Promise<void>;
}

/**
 * Starts a server over a source of views, such as an open store.
 *
 * ```ts
 * const server = await startServer({ viewSource, keys: ["demo"], port: 0 });
 * await fetch(`${server.url}/v3/demo`, { method: "POST", headers, body });
 * await server.stop();
 * ```
 *
 * @throws LamplightError `CONFIG__INVALID` for short keys and for a picture proxy that cannot be used,
 *   `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const settings = {
    ...defaultSettings,
    ...options,
    limits: { ...defaultSettings.limits, ...options.limits },
  };
  const {
    viewSource,
    document = contractDocument,
    docsDirectory = null,
    publicKey,
    publicUrl,
    log = silentLog,
  } = settings;
  assertKeysFit(settings);
  const keyRing = new KeyRing(withPublicKey(settings.keys, publicKey));
  const { servedKeys = null, shared = null } = options;
  if (servedKeys !== null) keyRing.replaceStored(servedKeys.stored);
  const pictures = createPicturePolicy(settings);
  const events = new ServerEvents(log);
  const damage = new StoreDamage(log);
  let transport: HttpTransport | null = null;
  const listeningUrl = (): string => urlOf(transport!);
  const baseUrl = createBaseUrl(publicUrl, listeningUrl);
  const main = mainContract(document);
  const discovery = new Discovery(document);
  let isStopping = false;
  const readiness = new Readiness({
    viewSource,
    isDraining: () => isStopping,
    liveStatus: options.liveStatus ?? null,
    searchStatus: options.searchStatus ?? null,
    maxStaleSeconds: settings.maxStaleSeconds,
    damage,
    log,
  });
  const site = new HttpPages({
    readiness,
    discovery,
    publicKey,
    baseUrl,
    docs: docsDirectory === null ? null : new StaticSite(docsDirectory, pictures.sources),
    methods: settings.methods,
    pictures: pictures.config,
    privateNetworkOrigins: isLoopbackHost(settings.host) ? settings.privateNetworkOrigins : [],
    isDraining: () => transport!.isDraining,
  });
  transport = new HttpTransport({
    ...settings,
    log,
    baseUrl,
    site,
    events,
    damage,
    allowedHosts: new AllowedHosts(settings),
    routers: new Map([
      [main.path, new StrictRouter(main, discovery, log)],
      ...(await loadOthers(settings, main, log)),
    ]),
    methodSettings: createMethodSettings({
      apiVersion,
      ...settings,
      answerBytesMax: settings.limits.answerBytes,
    }),
    sharesPort: options.sharesPort ?? false,
    shared,
    keys: keyRing,
    keyMeter:
      servedKeys === null ? null : new KeyMeter(servedKeys.cells, shared?.worker ?? 0, servedKeys.costs),
    observe: options.observe ?? null,
    requests: options.requests ?? null,
  });
  const listens = options.listens ?? true;
  if (listens) await transport.start();
  else transport.startUnbound();
  return {
    url: listens ? listeningUrl() : "http://in-process",
    port: listens ? transport.address.port : 0,
    accept: (stream) => transport.accept(stream),
    useKeys: (keys) => {
      assertKeysFit({ ...settings, keys });
      keyRing.replace(withPublicKey(keys, publicKey));
    },
    useStoredKeys: (stored) => keyRing.replaceStored(stored),
    counts: () => events.counts,
    load: () => transport.load,
    readiness: () => readiness.answer(),
    stop: async () => {
      isStopping = true;
      const { lameDuckMs } = settings.limits;
      // It keeps nothing alive but what is open anyway.
      if (lameDuckMs > 0) await sleep(lameDuckMs, undefined, { ref: false });
      readiness.close();
      await transport.stop();
    },
  };
};

/** Routers of the contracts that the settings ask for, by path. Nothing of another contract is loaded. */
const loadOthers = async (
  { methods }: Pick<ServerSettings, "methods">,
  main: ServedContract,
  log: Log,
): Promise<readonly (readonly [string, StrictRouter])[]> => {
  if (!methods.includes("das")) return [];
  const { loadDasContract } = await import("./rpc/das-contract.ts");
  const das = await loadDasContract(main);
  return [[das.path, new StrictRouter(das, new Discovery(das.document), log)]];
};

const withPublicKey = (keys: readonly string[], publicKey: string | null): readonly string[] =>
  publicKey === null ? keys : [...keys, publicKey];

/** @throws LamplightError `CONFIG__INVALID` for a short key where others than this machine can call */
export const assertKeysFit = ({
  host,
  keys,
  publicKey,
}: Pick<ServerSettings, "host" | "keys" | "publicKey">): void => {
  const weak = isLoopbackHost(host) ? -1 : findWeakKey(keys, publicKey);
  if (weak === -1) return;
  const reason = `must have at least ${KEY_CHARS_MIN} characters on ${host}`;
  throw new LamplightError("CONFIG__INVALID", {
    file: "the server's settings",
    field: `keys[${weak}]`,
    reason,
  });
};

const urlOf = (transport: HttpTransport): string => {
  const { address, family, port } = transport.address;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
};
