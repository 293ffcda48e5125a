import type { Commitment } from "@lamplight/core";

import type { Limits } from "../limits.ts";
import { defaultLimits } from "../limits.ts";
import type { LogLevel } from "../log/log.ts";
import type { ProfileSetting } from "../profile.ts";

/** Everything that can be set, with nothing left open. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly keys: readonly string[];
  readonly publicKey: string | null;
  readonly publicUrl: string | null;
  readonly profile: ProfileSetting;
  readonly assetCommitment: Commitment;
  readonly largestAccountsCacheSeconds: number;
  readonly limits: Limits;
  readonly slowCallMs: number;
}

/** What `serve` needs beside the server's own settings. */
export interface ServeSettings extends ServerSettings {
  /** As `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`. */
  readonly store: string;
  readonly logLevel: LogLevel;
}

export const DEFAULT_PORT = 8899;

export const defaultSettings: ServerSettings = {
  host: "127.0.0.1",
  port: DEFAULT_PORT,
  keys: [],
  publicKey: null,
  publicUrl: null,
  profile: "auto",
  assetCommitment: "confirmed",
  largestAccountsCacheSeconds: 0,
  limits: defaultLimits,
  slowCallMs: 1000,
};
