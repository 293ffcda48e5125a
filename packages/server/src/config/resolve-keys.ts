import { keyPattern } from "../keys.ts";
import { readSecret } from "./file-variables.ts";
import { commandLine, refuse } from "./refuse.ts";

/** The places that may give keys, strongest first. */
export interface KeySources {
  readonly flags: readonly string[];
  /** The file of `--key-file`. */
  readonly flagFile: string | undefined;
  /** `LAMPLIGHT_KEYS`. */
  readonly variable: string | undefined;
  readonly config: readonly string[];
  /** Name of the configuration file. */
  readonly configFile: string;
  readonly publicKey: string | null;
  /** Whether a key store has keys too. */
  readonly hasKeyStore: boolean;
}

/**
 * The keys of the strongest place that gives any, and the public one. Messages name the place in the list, never the
 * key: they end up in terminals and logs.
 */
export const resolveKeys = (sources: KeySources): readonly string[] => {
  const { publicKey } = sources;
  const [keys, place, field] = strongest(sources);
  const bad = keys.findIndex((key) => !keyPattern.test(key));
  if (bad !== -1) refuse(place, `${field}[${bad}]`, "must be 1 to 128 letters, digits or any of . _ ~ -");
  const all = publicKey === null ? keys : [...keys, publicKey];
  if (all.length === 0 && !sources.hasKeyStore)
    refuse(commandLine, "--key", "is missing; give keys with --key-file, --key-store or in LAMPLIGHT_KEYS");
  return all;
};

const strongest = (sources: KeySources): readonly [keys: readonly string[], place: string, field: string] => {
  const { flags, flagFile, variable, config, configFile } = sources;
  const fromFile = flagFile === undefined ? [] : splitKeys(readSecret(flagFile, "--key-file"));
  if (flags.length > 0) return [[...flags, ...fromFile], commandLine, "--key"];
  if (fromFile.length > 0) return [fromFile, commandLine, "--key-file"];
  if (variable !== undefined) return [splitKeys(variable), "the environment", "LAMPLIGHT_KEYS"];
  return [config, configFile, "keys"];
};

const splitKeys = (text: string): readonly string[] =>
  text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
