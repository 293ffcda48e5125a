import type { MethodParameter } from "@lamplight/contract";

const noAgents = "leave it out; agents are not indexed here";
const ofSearch = "leave it out; it is an option of searchAssets";

/**
 * Parameters and options of other servers, with what to do about them; a test sends each, and follows its hint. A name
 * that a method knows itself is not looked up: the options of searchAssets are foreign to getAsset only.
 */
export const foreignNames: ReadonlyMap<string, string> = new Map([
  ["showRawData", "leave it out; getAccountInfo answers the data of an account"],
  ["showSystemMetadata", "leave it out; answers have no system metadata"],
  ["showClosedAccounts", "leave it out; closed token accounts are not stored"],
  ["requireFullIndex", "leave it out; every answer comes from the full index"],
  ["showGrandTotal", ofSearch],
  ["showNativeBalance", ofSearch],
  ["showZeroBalance", ofSearch],
  [
    "notSelector",
    "leave it out, and skip such assets in the answer; negate excludes by all criteria at once",
  ],
  ["isAgent", noAgents],
  ["agentToken", noAgents],
  ["assetSigner", noAgents],
  ["ids", "send a batch: an array of getAsset requests, up to 100"],
  ["commitment", "leave it out; the operator sets the commitment of asset methods"],
]);

/** Names under which other servers know a parameter, beyond the aliases that are accepted. */
export const findForeignName = (name: string, specs: readonly MethodParameter[]): string | undefined => {
  const has = (known: string): boolean => specs.some((spec) => spec.name === known);
  const own = groupNames.has(name) ? "grouping" : otherNames.get(name);
  if (own !== undefined) return has(own) ? own : undefined;
  if (has(`${name}Address`)) return `${name}Address`;
  const [first] = specs;
  return first?.type === "Address" && addressNames.has(name) ? first.name : undefined;
};

const otherNames: ReadonlyMap<string, string> = new Map([
  ["onlyVerified", "creatorVerified"],
  ["royaltyModel", "royaltyTargetType"],
]);

const groupNames: ReadonlySet<string> = new Set([
  "groupKey",
  "groupValue",
  "collection",
  "collectionAddress",
  "collectionMint",
]);

const addressNames: ReadonlySet<string> = new Set([
  "account",
  "address",
  "assetId",
  "id",
  "mint",
  "mintAddress",
  "pubKey",
  "pubkey",
  "publicKey",
]);
