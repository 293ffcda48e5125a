import { encodeAddress } from "@lamplight/codecs";
import type { Group as WireGroup, TokenInfo as WireTokenInfo } from "@lamplight/contract";
import {
  type AssetExtras,
  type Group,
  inheritanceText,
  type JsonText,
  listJson,
  objectWriter,
  plainText,
  writeJson,
} from "@lamplight/core";
import type { AssetRecord, JsonMembers, TokenInfo } from "./asset-record.ts";

const writeExtras = objectWriter<AssetExtras>()("inherits", "token_info", "grouping", "inscription");

/**
 * JSON object of what is joined, and of what only flags show; null when there is nothing. Groups are in it when any is
 * unverified.
 */
export const shapeExtras = (record: AssetRecord): JsonText<AssetExtras> | null => {
  const { inherits, tokenInfo, groups, inscription } = record;
  const extras = writeExtras(
    inherits === null ? undefined : inheritanceText(inherits),
    tokenInfo === null ? undefined : tokenInfoText(tokenInfo),
    groups.some(({ verified }) => !verified)
      ? listJson(groups.map((group) => groupText(group, group.verified)))
      : undefined,
    inscription === null ? undefined : membersJson(inscription),
  );
  return extras === "{}" ? null : extras;
};

/** Base58 needs no escaping. */
const addressText = (address: Uint8Array): JsonText<string> => plainText(encodeAddress(address));

const writeTokenInfo = objectWriter<WireTokenInfo>()(
  "supply",
  "decimals",
  "token_program",
  "mint_authority",
  "freeze_authority",
  // The next members belong to one wallet: `TokenBalances` adds these to the items of a search.
  "balance",
  "token_account",
  "token_accounts",
);

const tokenInfoText = (info: TokenInfo): JsonText<WireTokenInfo> =>
  writeTokenInfo(
    info.supply,
    info.decimals,
    addressText(info.tokenProgram),
    info.mintAuthority === null ? undefined : addressText(info.mintAuthority),
    info.freezeAuthority === null ? undefined : addressText(info.freezeAuthority),
    undefined,
    undefined,
    undefined,
  );

const writeGroup = objectWriter<WireGroup>()("group_key", "group_value", "verified", "collection_metadata");

/** @param verified - absent where only verified groups are shown */
export const groupText = ({ key, value }: Group, verified?: boolean): JsonText<WireGroup> =>
  writeGroup(writeJson<string>(key), writeJson<string>(value), verified, undefined);

export const membersJson = (members: JsonMembers): JsonText<JsonMembers> =>
  writeJson<{ readonly [name: string]: unknown }>(members) as JsonText<JsonMembers>;
