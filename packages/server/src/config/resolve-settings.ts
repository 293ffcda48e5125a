import { LamplightError } from "@lamplight/errors";

import { keyPattern } from "../keys.ts";
import { logLevels } from "../log/log.ts";
import { profileSettings } from "../profile.ts";
import { readConfigFile } from "./config-file.ts";
import type { LamplightConfig } from "./lamplight-config.ts";
import { defaultSettings, type ServeSettings } from "./settings.ts";

/** What the command line gave; absent = not given. */
export interface ServeFlags {
  readonly store?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly key?: readonly string[] | undefined;
  readonly config?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Flags win over environment variables, those over the configuration file, that over the defaults.
 * `LAMPLIGHT_CONFIG`, `LAMPLIGHT_STORE`, `LAMPLIGHT_HOST`, `LAMPLIGHT_PORT`, `LAMPLIGHT_KEYS` (separated by commas),
 * `LAMPLIGHT_PROFILE` and `LAMPLIGHT_LOG_LEVEL` are read; an empty one counts as not set.
 *
 * @throws LamplightError `CLI__USAGE` for a flag that is wrong or missing, `CONFIG__INVALID` with the place and the field
 */
export const resolveSettings = (flags: ServeFlags, environment: Environment): ServeSettings => {
  const variable = (name: string): string | undefined => environment[`LAMPLIGHT_${name}`] || undefined;
  const file = flags.config ?? variable("CONFIG");
  const config: LamplightConfig = file === undefined ? {} : readConfigFile(file);
  const publicKey = config.publicKey ?? null;
  return {
    store: flags.store ?? variable("STORE") ?? config.store ?? refuse(commandLine, "--store", "is missing"),
    host: flags.host ?? variable("HOST") ?? config.host ?? defaultSettings.host,
    port: resolvePort(flags.port, variable("PORT")) ?? config.port ?? defaultSettings.port,
    keys: resolveKeys(flags, variable("KEYS"), config, file ?? "the configuration", publicKey),
    publicKey,
    publicUrl: config.publicUrl ?? null,
    profile:
      pickWord("PROFILE", variable("PROFILE"), profileSettings) ?? config.profile ?? defaultSettings.profile,
    assetCommitment: config.assetCommitment ?? defaultSettings.assetCommitment,
    largestAccountsCacheSeconds:
      config.largestAccountsCacheSeconds ?? defaultSettings.largestAccountsCacheSeconds,
    limits: { ...defaultSettings.limits, ...config.limits },
    slowCallMs: config.log?.slowCallMs ?? defaultSettings.slowCallMs,
    logLevel: pickWord("LOG_LEVEL", variable("LOG_LEVEL"), logLevels) ?? config.log?.level ?? "info",
  };
};

const resolvePort = (flag: string | undefined, variable: string | undefined): number | undefined => {
  const text = flag ?? variable;
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/u.test(text) && Number(text) <= 65_535) return Number(text);
  const [place, field] = flag === undefined ? ["the environment", "LAMPLIGHT_PORT"] : [commandLine, "--port"];
  return refuse(place, field, "must be a number from 0 to 65535");
};

/** The keys of the strongest place that gives any, and the public one beside them. */
const resolveKeys = (
  flags: ServeFlags,
  variable: string | undefined,
  config: LamplightConfig,
  file: string,
  publicKey: string | null,
): readonly string[] => {
  const [keys, place, field] =
    flags.key !== undefined && flags.key.length > 0
      ? [flags.key, commandLine, "--key"]
      : variable !== undefined
        ? [splitKeys(variable), "the environment", "LAMPLIGHT_KEYS"]
        : [config.keys ?? [], file, "keys"];
  // The message names the place in the list, never the key: it ends up in terminals and logs.
  const bad = keys.findIndex((key) => !keyPattern.test(key));
  if (bad !== -1) {
    refuse(place, `${field}[${bad}]`, "must be 1 to 128 letters, digits or any of . _ ~ -");
  }
  const all = publicKey === null ? keys : [...keys, publicKey];
  if (all.length === 0)
    refuse(commandLine, "--key", "is missing; give one there, in LAMPLIGHT_KEYS or in a configuration file");
  return all;
};

const splitKeys = (text: string): readonly string[] =>
  text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");

const pickWord = <Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  return found ?? refuse("the environment", `LAMPLIGHT_${name}`, `must be one of ${words.join(", ")}`);
};

const commandLine = "the command line";

const refuse = (file: string, field: string, reason: string): never => {
  if (file === commandLine) throw new LamplightError("CLI__USAGE", { reason: `${field} ${reason}` });
  throw new LamplightError("CONFIG__INVALID", { file, field, reason });
};
