import { contractDocument, type ContractDocument } from "@lamplight/contract";
import { createMethodSettings, type Readable } from "@lamplight/core";

import { defaultSettings, type ServerSettings } from "./config/settings.ts";
import { createBaseUrl } from "./http/base-url.ts";
import { HttpTransport } from "./http/http-transport.ts";
import type { LiveStatus, SearchReport } from "./http/probes.ts";
import { Site } from "./http/site.ts";
import { StaticSite } from "./http/static-site.ts";
import { KeyRing } from "./keys.ts";
import type { Limits } from "./limits.ts";
import { type Log, silentLog } from "./log/log.ts";
import { type CallObserver, slowCallObserver } from "./rpc/observer.ts";
import { StrictRouter } from "./rpc/strict-router.ts";
import { apiVersion } from "./version.ts";

export interface ServerOptions extends Partial<Omit<ServerSettings, "limits">> {
  readonly readable: Readable;
  /** Default: the contract of this version. */
  readonly document?: ContractDocument;
  /** Folder of the documentation; null = none is served. */
  readonly docsDirectory?: string | null;
  readonly limits?: Partial<Limits>;
  /** Told by `/readyz` where this process follows a chain; absent = it does not. */
  readonly liveStatus?: () => LiveStatus;
  /** Told by `/readyz` where a search index is kept in memory. */
  readonly searchStatus?: () => SearchReport | null;
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** Called once per answered call; default: slow ones are logged. */
  readonly observe?: CallObserver;
}

export interface RunningServer {
  /** `http://127.0.0.1:8899`, with the real port. */
  readonly url: string;
  readonly port: number;
  /** Lets calls under way finish within `limits.drainMs`; resolves when the last connection is closed. */
  stop(): Promise<void>;
}

/**
 * Starts a server over anything readable.
 *
 * ```ts
 * const server = await startServer({ readable, keys: ["demo"], port: 0 });
 * await fetch(`${server.url}/v3/demo`, { method: "POST", ... });
 * await server.stop();
 * ```
 *
 * @throws LamplightError `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const settings = {
    ...defaultSettings,
    ...options,
    limits: { ...defaultSettings.limits, ...options.limits },
  };
  const {
    readable,
    document = contractDocument,
    docsDirectory = null,
    publicKey,
    publicUrl,
    log = silentLog,
  } = settings;
  let transport: HttpTransport | null = null;
  const listeningUrl = (): string => urlOf(transport!);
  const baseUrl = createBaseUrl(publicUrl, listeningUrl);
  const site = new Site({
    readable,
    document,
    publicKey,
    baseUrl,
    docs: docsDirectory === null ? null : new StaticSite(docsDirectory),
    isDraining: () => transport!.isDraining,
    liveStatus: options.liveStatus ?? null,
    searchStatus: options.searchStatus ?? null,
    log,
  });
  transport = new HttpTransport({
    ...settings,
    log,
    baseUrl,
    site,
    router: new StrictRouter(document),
    methodSettings: createMethodSettings({ apiVersion, ...settings }),
    keys: new KeyRing(publicKey === null ? settings.keys : [...settings.keys, publicKey]),
    observe: options.observe ?? slowCallObserver(log, settings.slowCallMs),
  });
  await transport.start();
  return { url: listeningUrl(), port: transport.address.port, stop: () => transport.stop() };
};

const urlOf = (transport: HttpTransport): string => {
  const { address, family, port } = transport.address;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
};
