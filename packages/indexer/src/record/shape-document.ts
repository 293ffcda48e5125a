import { encodeAddress } from "@lamplight/codecs";
import { type Group, type JsonValue, writeJson } from "@lamplight/core";
import { mergeContent } from "../content/merge-content.ts";
import type { AssetRecord, Compression, TokenInfo } from "./asset-record.ts";

const basisPointsWhole = 10_000;

/**
 * The finished public document of an asset: what getAsset answers without flags. Members that the specification names
 * are always there; `uses`, `supply`, `token_standard` and extensions are left out when there is nothing to say.
 *
 * @param offchain - the JSON behind the asset's URI; null while it is not there
 */
export const shapeDocument = (record: AssetRecord, offchain: JsonValue | null = null): string =>
  writeJson({
    interface: record.interface,
    id: encodeAddress(record.id),
    content: mergeContent(record, offchain),
    authorities:
      record.authority === null ? [] : [{ address: encodeAddress(record.authority), scopes: ["full"] }],
    ownership: shapeOwnership(record),
    compression: record.compression === null ? uncompressed : shapeCompression(record.compression),
    royalty: {
      royalty_model: "creators",
      target: null,
      percent: record.basisPoints / basisPointsWhole,
      basis_points: record.basisPoints,
      primary_sale_happened: record.primarySaleHappened,
      locked: false,
    },
    creators: record.creators.map(({ address, share, verified }) => ({
      address: encodeAddress(address),
      share,
      verified,
    })),
    grouping: record.groups.filter((group) => group.verified).map(shapeGroup),
    uses: shapeUses(record),
    supply: shapePrintSupply(record),
    mutable: record.mutable,
    burnt: record.burnt,
    ...record.extensions,
  });

/** JSON object of what only flags show; null when there is nothing. Groups are in it when any is unverified. */
export const shapeExtras = (record: AssetRecord): string | null => {
  const unverified = record.groups.some((group) => !group.verified);
  const extras: Record<string, JsonValue | undefined> = {
    token_info: record.tokenInfo === null ? undefined : shapeTokenInfo(record.tokenInfo),
    grouping: unverified
      ? record.groups.map((group) => ({ ...shapeGroup(group), verified: group.verified }))
      : undefined,
    inscription: record.inscription ?? undefined,
  };
  return Object.values(extras).every((member) => member === undefined) ? null : writeJson(extras);
};

const shapeOwnership = (record: AssetRecord): JsonValue => ({
  owner: record.assetOwner === null ? "" : encodeAddress(record.assetOwner),
  frozen: record.frozen,
  delegated: record.delegate !== null,
  delegate: record.delegate === null ? null : encodeAddress(record.delegate),
  ownership_model: record.ownerModel,
  non_transferable: record.nonTransferable ?? undefined,
});

const uncompressed = {
  eligible: false,
  compressed: false,
  data_hash: "",
  creator_hash: "",
  asset_hash: "",
  tree: "",
  seq: 0,
  leaf_id: 0,
};

const shapeCompression = (compression: Compression): JsonValue => ({
  eligible: false,
  compressed: true,
  data_hash: encodeAddress(compression.dataHash),
  creator_hash: encodeAddress(compression.creatorHash),
  asset_hash: encodeAddress(compression.assetHash),
  tree: encodeAddress(compression.tree),
  seq: compression.seq,
  leaf_id: compression.leafIndex,
  ...(compression.v2 === null
    ? {}
    : {
        collection_hash: encodeAddress(compression.v2.collectionHash),
        asset_data_hash: encodeAddress(compression.v2.assetDataHash),
        flags: compression.v2.flags,
      }),
});

const shapeGroup = (group: Group): { readonly group_key: string; readonly group_value: string } => ({
  group_key: group.key,
  group_value: group.value,
});

const shapeUses = ({ uses }: AssetRecord): JsonValue | undefined =>
  uses === null ? undefined : { use_method: uses.useMethod, remaining: uses.remaining, total: uses.total };

const shapePrintSupply = ({ print }: AssetRecord): JsonValue | undefined =>
  print === null
    ? undefined
    : {
        print_max_supply: print.maxSupply,
        print_current_supply: print.currentSupply,
        edition_nonce: print.editionNonce,
      };

const shapeTokenInfo = (info: TokenInfo): JsonValue => ({
  supply: info.supply,
  decimals: info.decimals,
  token_program: encodeAddress(info.tokenProgram),
  mint_authority: info.mintAuthority === null ? undefined : encodeAddress(info.mintAuthority),
  freeze_authority: info.freezeAuthority === null ? undefined : encodeAddress(info.freezeAuthority),
});
