import { accessLogModes, type AccessLogSettings, defaultAccessLog } from "../log/access-settings.ts";
import { logLevels } from "../log/log-levels.ts";
import { profileSettings } from "../profile.ts";
import { defaultSearchCache } from "@lamplight/runtime";
import { defaultCosts } from "../key-store/key-costs.ts";
import type { Limits } from "../limits.ts";
import { readConfigFile } from "./config-file.ts";
import { applyFileVariables } from "./file-variables.ts";
import type { LamplightConfig } from "./lamplight-config.ts";
import { commandLine, refuse } from "./refuse.ts";
import { resolveKeys } from "./resolve-keys.ts";
import {
  defaultMetricsHost,
  defaultSettings,
  type FurtherContract,
  furtherContracts,
  type ServeSettings,
  type TraceSettings,
} from "./settings.ts";

/** The flags of the command line; absent = not given. */
export interface ServeFlags {
  readonly store?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly key?: readonly string[] | undefined;
  readonly "key-file"?: string | undefined;
  readonly "key-store"?: string | undefined;
  readonly config?: string | undefined;
  readonly "max-stale-seconds"?: string | undefined;
  readonly "metrics-port"?: string | undefined;
  readonly "metrics-host"?: string | undefined;
  readonly workers?: string | undefined;
  readonly methods?: string | undefined;
  readonly "access-log"?: string | undefined;
  readonly "access-log-rate"?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Flags win over environment variables, those over the configuration file, that over the defaults.
 * `LAMPLIGHT_CONFIG`, `LAMPLIGHT_STORE`, `LAMPLIGHT_HOST`, `LAMPLIGHT_PORT`, `LAMPLIGHT_KEYS` (separated by commas),
 * `LAMPLIGHT_KEY_STORE`, `LAMPLIGHT_PROFILE`, `LAMPLIGHT_METHODS`, `LAMPLIGHT_MAX_STALE_SECONDS`, `LAMPLIGHT_METRICS_PORT`, `LAMPLIGHT_METRICS_HOST`, `LAMPLIGHT_WORKERS`, `LAMPLIGHT_SEARCH_CACHE`,
 * `LAMPLIGHT_LAME_DUCK_MS`, `LAMPLIGHT_ACCESS_LOG`, `LAMPLIGHT_ACCESS_LOG_RATE` and `LAMPLIGHT_LOG_LEVEL` are read, each also from the file that a variable with `_FILE` behind the name gives; an empty one
 * counts as not set.
 *
 * @throws LamplightError `CLI__USAGE` for a flag that is wrong or missing, `CONFIG__INVALID` with the place and the field
 */
export const resolveSettings = (flags: ServeFlags, given: Environment): ServeSettings => {
  const environment = { ...given };
  applyFileVariables(environment);
  const variable = (name: string): string | undefined => environment[`LAMPLIGHT_${name}`] || undefined;
  const file = flags.config ?? variable("CONFIG");
  const config: LamplightConfig = file === undefined ? {} : readConfigFile(file);
  const publicKey = config.publicKey ?? null;
  const keyStore = flags["key-store"] ?? variable("KEY_STORE") ?? config.keyStore ?? null;
  const metricsPort =
    resolveMetricsPort(flags["metrics-port"], variable("METRICS_PORT")) ?? config.metricsPort;
  const metricsHost = flags["metrics-host"] ?? variable("METRICS_HOST") ?? config.metricsHost;
  if (metricsHost !== undefined && metricsPort === undefined)
    refuse(
      commandLine,
      flags["metrics-host"] === undefined ? "metricsHost" : "--metrics-host",
      "needs --metrics-port",
    );
  const store =
    flags.store ?? variable("STORE") ?? config.store ?? refuse(commandLine, "--store", storeMissing);
  return {
    store,
    host: flags.host ?? variable("HOST") ?? config.host ?? defaultSettings.host,
    port: resolvePort(flags.port, variable("PORT")) ?? config.port ?? defaultSettings.port,
    keys: resolveKeys({
      flags: flags.key ?? [],
      flagFile: flags["key-file"],
      variable: variable("KEYS"),
      config: config.keys ?? [],
      configFile: file ?? "the configuration",
      publicKey,
      hasKeyStore: keyStore !== null,
    }),
    keyStore,
    keyCosts: { ...defaultCosts, ...config.keyCosts },
    keyFiles: [
      flags["key-file"],
      given["LAMPLIGHT_KEYS_FILE"],
      config.keys === undefined ? undefined : file,
    ].flatMap((name) => (name === undefined || name === "" ? [] : [name])),
    publicKey,
    publicUrl: config.publicUrl ?? null,
    allowedHosts: config.allowedHosts ?? defaultSettings.allowedHosts,
    privateNetworkOrigins: config.privateNetworkOrigins ?? defaultSettings.privateNetworkOrigins,
    trustProxy: config.trustProxy ?? defaultSettings.trustProxy,
    profile:
      pickWord("PROFILE", variable("PROFILE"), profileSettings) ?? config.profile ?? defaultSettings.profile,
    methods: resolveMethods(flags.methods, variable("METHODS")) ?? config.methods ?? defaultSettings.methods,
    assetCommitment: config.assetCommitment ?? defaultSettings.assetCommitment,
    largestAccountsCacheSeconds:
      config.largestAccountsCacheSeconds ?? defaultSettings.largestAccountsCacheSeconds,
    maxStaleSeconds:
      resolveMaxStaleSeconds(flags["max-stale-seconds"], variable("MAX_STALE_SECONDS")) ??
      config.maxStaleSeconds ??
      defaultSettings.maxStaleSeconds,
    limits: { ...defaultSettings.limits, ...config.limits, ...lameDuckOf(variable("LAME_DUCK_MS")) },
    pictures: config.pictures ?? defaultSettings.pictures,
    pictureProxy: config.pictureProxy ?? defaultSettings.pictureProxy,
    slowCallMs: config.log?.slowCallMs ?? defaultSettings.slowCallMs,
    workers: resolveWorkers(flags.workers, variable("WORKERS"), config.workers),
    ...(metricsPort === undefined ? {} : { metricsPort }),
    metricsHost: metricsHost ?? defaultMetricsHost,
    searchCache: variable("SEARCH_CACHE") ?? config.searchCache ?? defaultSearchCache(environment),
    traces: resolveTraces(given),
    accessLog: resolveAccessLog(flags, variable, config),
    logLevel: pickWord("LOG_LEVEL", variable("LOG_LEVEL"), logLevels) ?? config.log?.level ?? "info",
  };
};

/**
 * @param flag - of `--port`
 * @param variable - `LAMPLIGHT_PORT`
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`
 */
export const resolvePort = (flag: string | undefined, variable: string | undefined): number | undefined =>
  pickNumber("port", flag, variable, 0, 65_535);

const resolveMetricsPort = (flag: string | undefined, variable: string | undefined): number | undefined =>
  pickNumber("metrics-port", flag, variable, 0, 65_535, "a port,");

/**
 * @param flag - of `--max-stale-seconds`
 * @param variable - `LAMPLIGHT_MAX_STALE_SECONDS`
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`
 */
export const resolveMaxStaleSeconds = (
  flag: string | undefined,
  variable: string | undefined,
): number | undefined => pickNumber("max-stale-seconds", flag, variable, 1, 86_400);

/** Several need a system that spreads the connections to one port over those who listen on it. */
const resolveWorkers = (
  flag: string | undefined,
  variable: string | undefined,
  config: number | undefined,
): number => {
  const workers = pickNumber("workers", flag, variable, 1, WORKERS_MAX) ?? config ?? 1;
  if (workers === 1 || spreadingPlatforms.has(process.platform)) return workers;
  const given = flag === undefined ? "workers" : "--workers";
  return refuse(commandLine, given, "must be 1 here: only Linux and FreeBSD spread connections over workers");
};

/** More than any machine answers with: a slip of the finger must not start thousands of threads. */
const WORKERS_MAX = 256;
const spreadingPlatforms: ReadonlySet<NodeJS.Platform> = new Set(["linux", "freebsd"]);

const lameDuckOf = (variable: string | undefined): Partial<Limits> => {
  const lameDuckMs = pickNumber("lame-duck-ms", undefined, variable, 0, 600_000);
  return lameDuckMs === undefined ? {} : { lameDuckMs };
};

/**
 * @param flag - of `--methods`
 * @param variable - `LAMPLIGHT_METHODS`
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`
 */
export const resolveMethods = (
  flag: string | undefined,
  variable: string | undefined,
): readonly FurtherContract[] | undefined => {
  const word = pickFlag("methods", flag, furtherContracts) ?? pickWord("METHODS", variable, furtherContracts);
  return word === undefined ? undefined : [word];
};

const resolveAccessLog = (
  flags: ServeFlags,
  variable: (name: string) => string | undefined,
  { log = {} }: LamplightConfig,
): AccessLogSettings => ({
  mode:
    pickFlag("access-log", flags["access-log"], accessLogModes) ??
    pickWord("ACCESS_LOG", variable("ACCESS_LOG"), accessLogModes) ??
    log.access ??
    defaultAccessLog.mode,
  rate:
    pickRate(flags["access-log-rate"], variable("ACCESS_LOG_RATE")) ??
    log.accessRate ??
    defaultAccessLog.rate,
  slowMs: log.slowCallMs ?? defaultSettings.slowCallMs,
  address: log.accessAddress ?? defaultAccessLog.address,
});

/** The variables that programs with OpenTelemetry have in common. The exporter itself reads others of them, such as headers. */
const resolveTraces = (environment: Environment): TraceSettings | null => {
  const ofTraces = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || undefined;
  const ofAll = environment["OTEL_EXPORTER_OTLP_ENDPOINT"] || undefined;
  const url = ofTraces ?? (ofAll === undefined ? undefined : `${ofAll.replace(/\/+$/u, "")}/v1/traces`);
  if (url === undefined) return null;
  const name = ofTraces === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  if (!/^https?:\/\/[^/]/u.test(url) || !URL.canParse(url))
    return refuse("the environment", name, "must be an http:// or https:// URL");
  const rate = environment["OTEL_TRACES_SAMPLER_ARG"] || "1";
  return { url, rate: readShare(rate, "the environment", "OTEL_TRACES_SAMPLER_ARG") };
};

const pickRate = (flag: string | undefined, variable: string | undefined): number | undefined => {
  if (flag !== undefined) return readShare(flag, commandLine, "--access-log-rate");
  if (variable === undefined) return undefined;
  return readShare(variable, "the environment", "LAMPLIGHT_ACCESS_LOG_RATE");
};

const readShare = (text: string, place: string, field: string): number =>
  /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/u.test(text)
    ? Number(text)
    : refuse(place, field, "must be a share from 0 to 1, as 0.01");

const pickFlag = <Word extends string>(
  flag: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (text === undefined) return undefined;
  return (
    words.find((word) => word === text) ??
    refuse(commandLine, `--${flag}`, `must be one of ${words.join(", ")}`)
  );
};

const pickNumber = (
  name: string,
  flag: string | undefined,
  variable: string | undefined,
  min: number,
  max: number,
  what = "a number from",
): number | undefined => {
  const text = flag ?? variable;
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/u.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  const fromEnvironment = [
    "the environment",
    `LAMPLIGHT_${name.toUpperCase().replaceAll("-", "_")}`,
  ] as const;
  const [place, field] = flag === undefined ? fromEnvironment : [commandLine, `--${name}`];
  return refuse(place, field, `must be ${what} ${min} to ${max}`);
};

const pickWord = <Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  return found ?? refuse("the environment", `LAMPLIGHT_${name}`, `must be one of ${words.join(", ")}`);
};

const storeMissing =
  "is missing; name one as sqlite:FILE there, in LAMPLIGHT_STORE or in a configuration file";
