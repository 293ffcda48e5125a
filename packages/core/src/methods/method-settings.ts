import type { Commitment } from "../domain/address.ts";
import type { JsonText } from "../json/json-text.ts";
import { writeJson } from "../json/write-json.ts";
import { LargestAccountsCache } from "./largest-accounts-cache.ts";

/** Settings of the operator that methods read. */
export interface MethodSettings {
  /** Answered as `context.apiVersion`, as JSON text. */
  readonly apiVersionText: JsonText<string>;
  /** Asset methods have no commitment parameter; they read at this one. */
  readonly assetCommitment: Commitment;
  readonly largestAccountsCache: LargestAccountsCache;
  /** Bytes of the largest answer to one call. */
  readonly answerBytesMax: number;
}

/**
 * More than twice an account of 10 MiB in base64 (13.4 MiB). A thousand assets with documents of the usual size take
 * 3 MiB.
 */
export const ANSWER_BYTES_MAX = 32 << 20;

export interface MethodSettingsOptions {
  /** Our own package version. */
  readonly apiVersion: string;
  /** Default `confirmed`; a store without a live source has one level anyway. */
  readonly assetCommitment?: Commitment;
  /** 0 = off (default): an exact answer costs microseconds. The spec allows up to 7200. */
  readonly largestAccountsCacheSeconds?: number;
  /** Default 32 MiB. */
  readonly answerBytesMax?: number;
}

export const createMethodSettings = (options: MethodSettingsOptions): MethodSettings => ({
  apiVersionText: writeJson<string>(options.apiVersion),
  assetCommitment: options.assetCommitment ?? "confirmed",
  largestAccountsCache: new LargestAccountsCache(options.largestAccountsCacheSeconds ?? 0),
  answerBytesMax: options.answerBytesMax ?? ANSWER_BYTES_MAX,
});
