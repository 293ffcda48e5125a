import type { Commitment } from "@lamplight/core";

import type { KeyCosts } from "../key-store/key-costs.ts";
import type { Limits } from "../limits.ts";
import { defaultLimits } from "../limits.ts";
import type { AccessLogSettings } from "../log/access-settings.ts";
import type { LogLevel } from "../log/log-levels.ts";
import type { ProfileSetting } from "../profile.ts";

/** The way in which the explorer shows pictures of other hosts. */
export interface PictureSettings {
  /** Null = each after a click, but on the visitor's own machine at once. */
  readonly pictures: "proxy" | "click" | "all" | null;
  /** The URL that the address of a picture follows; only with `proxy`, and then not null. */
  readonly pictureProxy: string | null;
}

/** The contracts that an operator can turn on. */
export const furtherContracts = ["das"] as const;
export type FurtherContract = (typeof furtherContracts)[number];

/** Everything that can be set, with nothing left open. */
export interface ServerSettings extends PictureSettings {
  readonly host: string;
  readonly port: number;
  readonly keys: readonly string[];
  readonly publicKey: string | null;
  readonly publicUrl: string | null;
  /** Names in `Host` that are answered; see `AllowedHosts` for what an empty list means. */
  readonly allowedHosts: readonly string[];
  /** Origins that get a private-network preflight granted, where the server listens on loopback. */
  readonly privateNetworkOrigins: readonly string[];
  /** Whether X-Forwarded-For is believed. */
  readonly trustProxy: boolean;
  readonly profile: ProfileSetting;
  /** Contracts that are served in addition to the one of every server. */
  readonly methods: readonly FurtherContract[];
  readonly assetCommitment: Commitment;
  readonly largestAccountsCacheSeconds: number;
  /** Not ready once no new slot came for so long; null = a minute where a chain is followed, else never. */
  readonly maxStaleSeconds: number | null;
  readonly limits: Limits;
  readonly slowCallMs: number;
}

/** Where traces are sent. */
export interface TraceSettings {
  /** URL that takes OTLP over HTTP, in JSON. */
  readonly url: string;
  /** Share of the requests without a `traceparent` that are traced, 0 to 1. Others follow their caller. */
  readonly rate: number;
}

/** The settings that `serve` needs in addition to the server's own. */
export interface ServeSettings extends ServerSettings {
  /** As `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`. */
  readonly store: string;
  /** Threads that answer calls. */
  readonly workers: number;
  /** Where metrics and probes are served too; absent = nowhere. */
  readonly metricsPort?: number;
  /** Address that this port listens on. */
  readonly metricsHost: string;
  /** Folder for the search indexes of stores that are no files. */
  readonly searchCache: string;
  readonly logLevel: LogLevel;
  readonly accessLog: AccessLogSettings;
  /** Null = no traces. */
  readonly traces: TraceSettings | null;
  /** Files that contain keys. */
  readonly keyFiles: readonly string[];
  /** File of a key store, or URL of its database; null = there is none. */
  readonly keyStore: string | null;
  /** Cost units of a call, by method. */
  readonly keyCosts: KeyCosts;
}

/** LAMP on a telephone. Not 8899 or 8900: a validator on the same machine has these. */
export const DEFAULT_PORT = 5267;

/** Where metrics are served unless another host is named. */
export const defaultMetricsHost = "127.0.0.1";

export const defaultSettings: ServerSettings = {
  host: "127.0.0.1",
  port: DEFAULT_PORT,
  keys: [],
  publicKey: null,
  publicUrl: null,
  allowedHosts: [],
  privateNetworkOrigins: ["https://playground.open-rpc.org"],
  trustProxy: false,
  profile: "auto",
  methods: [],
  assetCommitment: "confirmed",
  largestAccountsCacheSeconds: 0,
  maxStaleSeconds: null,
  limits: defaultLimits,
  slowCallMs: 1000,
  pictures: null,
  pictureProxy: null,
};
