import { decodeBase58 } from "@lamplight/codecs";
import type { Outcome } from "@lamplight/sources/endpoint";
import { type Difference, numberOf } from "./compare-values.ts";
import { isMembers } from "./members.ts";

/** Servers answer base58 up to 128 bytes of data. */
const BASE58_LENGTH_MAX = 256;

/** An expected difference, and the reason for it. */
export interface KnownDifference {
  readonly reason: string;
  /** @param answer - the whole result of this server; undefined where the call was refused */
  readonly holds: (difference: Difference, answer: unknown) => boolean;
}

const extensions =
  /\/(?:mint_extensions|plugins|external_plugins|unknown_plugins|unknown_external_plugins|mpl_core_info|inscription|collection_metadata|non_transferable|collection_hash|asset_data_hash|flags|nativeBalance|rent_epoch|last_indexed_slot)$/u;

/** In which two correct servers differ: by version, by profile, or where asset servers answer otherwise by design. */
export const knownDifferences: readonly KnownDifference[] = [
  { reason: "version of the server", holds: ({ at }) => at === "/context/apiVersion" },
  {
    reason: "slot of the answer",
    holds: ({ at }) => at === "/context/slot" || at === "/last_indexed_slot",
  },
  {
    reason: "profile: a missing account is null, or has a context",
    holds: ({ at, ours, theirs }) => at === "" && isMissingAccount(ours) && isMissingAccount(theirs),
  },
  {
    reason: "profile: default encoding of account data",
    holds: ({ at, ours, theirs }) => at.endsWith("/data") && isSameData(ours, theirs),
  },
  {
    reason: "text of the same number",
    holds: ({ ours, theirs }) => numberOf(ours) !== null && numberOf(ours) === numberOf(theirs),
  },
  {
    reason: "paging: other servers report the length of the page, and have other defaults",
    holds: ({ at }) => /^\/(?:total|limit|page|cursor|grand_total)$/u.test(at),
  },
  {
    reason: "a member that only one of the servers has",
    holds: ({ at, ours, theirs }) => (ours === undefined || theirs === undefined) && extensions.test(at),
  },
  {
    reason: "rounding of basis points",
    holds: ({ at, ours, theirs }) =>
      at.endsWith("/percent") && Math.abs(Number(numberOf(ours)) - Number(numberOf(theirs))) < 1e-12,
  },
];

/** Errors have the same meaning where their codes agree; the words differ between servers. */
export const isKnownRefusal = (ours: Outcome, theirs: Outcome): boolean =>
  !ours.ok && !theirs.ok && ours.error.code === theirs.error.code;

const isMissingAccount = (value: unknown): boolean =>
  value === null || (isMembers(value) && value["value"] === null && isMembers(value["context"]));

/** `[text, "base64"]` against bare base58 text, in either order. */
const isSameData = (ours: unknown, theirs: unknown): boolean => {
  const [a, b] = [bytesOf(ours), bytesOf(theirs)];
  return a !== null && b !== null && Buffer.compare(a, b) === 0;
};

const bytesOf = (data: unknown): Uint8Array | null => {
  if (typeof data === "string") return base58Of(data);
  if (!Array.isArray(data) || typeof data[0] !== "string") return null;
  if (data[1] === "base64") return Buffer.from(data[0], "base64");
  return data[1] === "base58" ? base58Of(data[0]) : null;
};

/** Null where it is none, or too long. */
export const base58Of = (text: string): Uint8Array | null => {
  try {
    return decodeBase58(text, BASE58_LENGTH_MAX);
  } catch {
    return null;
  }
};
