import { encodeAddress } from "@lamplight/codecs";
import { contentText, type Group, INHERITED_BASIS_POINTS, type JsonValue, writeJson } from "@lamplight/core";
import type { AssetRecord, Compression, TokenInfo } from "./asset-record.ts";

const basisPointsWhole = 10_000;

/**
 * The public document of an asset: what getAsset answers without flags, but for its off-chain document. Members that the specification names
 * are always there; `uses`, `supply`, `token_standard` and extensions are left out when there is nothing to say.
 *
 * The text is put together directly, not by way of an object: every asset of every commit passes here, and the object
 * and its walk took longer than all decoding.
 */
export const shapeDocument = (record: AssetRecord): string =>
  `{"interface":"${record.interface}","id":${addressText(record.id)}` +
  `,"content":${contentText(record)}` +
  `,"authorities":${record.authority === null ? "[]" : `[{"address":${addressText(record.authority)},"scopes":["full"]}]`}` +
  `,"ownership":${ownershipText(record)}` +
  `,"compression":${record.compression === null ? uncompressed : compressionText(record.compression)}` +
  `,"royalty":${royaltyText(record)},"creators":${creatorsText(record.creators)}` +
  `${record.rawRoyalty === null ? "" : `,"creators_raw":${creatorsText(record.rawRoyalty.creators)}`}` +
  `,"grouping":${groupingText(record.groups)}${usesText(record)}${printSupplyText(record)}` +
  `,"mutable":${record.mutable},"burnt":${record.burnt}${extensionsText(record)}}`;

/** Base58 needs no escaping. */
const addressText = (address: Uint8Array): string => `"${encodeAddress(address)}"`;

const ownershipText = (record: AssetRecord): string =>
  `{"owner":${record.assetOwner === null ? '""' : addressText(record.assetOwner)},"frozen":${record.frozen}` +
  `,"delegated":${record.delegate !== null}` +
  `,"delegate":${record.delegate === null ? "null" : addressText(record.delegate)}` +
  `,"ownership_model":"${record.ownerModel}"` +
  `${record.nonTransferable === null ? "" : `,"non_transferable":${record.nonTransferable}`}}`;

const uncompressed = writeJson({
  eligible: false,
  compressed: false,
  data_hash: "",
  creator_hash: "",
  asset_hash: "",
  tree: "",
  seq: 0,
  leaf_id: 0,
});

const compressionText = (compression: Compression): string =>
  `{"eligible":false,"compressed":true,"data_hash":${addressText(compression.dataHash)}` +
  `,"creator_hash":${addressText(compression.creatorHash)},"asset_hash":${addressText(compression.assetHash)}` +
  `,"tree":${addressText(compression.tree)},"seq":${compression.seq},"leaf_id":${compression.leafIndex}` +
  `${compression.v2 === null ? "" : hashesText(compression.v2)}}`;

const hashesText = (v2: NonNullable<Compression["v2"]>): string =>
  `,"collection_hash":${addressText(v2.collectionHash)},"asset_data_hash":${addressText(v2.assetDataHash)}` +
  `,"flags":${v2.flags}`;

/** Basis points that are inherited are inserted when the asset is read. */
const royaltyText = ({ basisPoints, primarySaleHappened, rawRoyalty }: AssetRecord): string => {
  const own = basisPoints === INHERITED_BASIS_POINTS ? 0 : basisPoints;
  return (
    `{"royalty_model":"creators","target":null,"percent":${own / basisPointsWhole}` +
    `,"basis_points":${own},"primary_sale_happened":${primarySaleHappened},"locked":false` +
    `${rawRoyalty === null ? "" : `,"basis_points_raw":${rawRoyalty.basisPoints},"inherited":true`}}`
  );
};

const creatorsText = (creators: AssetRecord["creators"]): string => {
  let text = "";
  for (const { address, share, verified } of creators)
    text += `${text === "" ? "" : ","}{"address":${addressText(address)},"share":${share},"verified":${verified}}`;
  return `[${text}]`;
};

const groupingText = (groups: readonly Group[]): string => {
  let text = "";
  for (const group of groups)
    if (group.verified) text += `${text === "" ? "" : ","}${writeJson(shapeGroup(group))}`;
  return `[${text}]`;
};

const usesText = ({ uses }: AssetRecord): string =>
  uses === null
    ? ""
    : `,"uses":{"use_method":"${uses.useMethod}","remaining":${uses.remaining},"total":${uses.total}}`;

const printSupplyText = ({ print }: AssetRecord): string =>
  print === null
    ? ""
    : `,"supply":{"print_max_supply":${print.maxSupply},"print_current_supply":${print.currentSupply}` +
      `,"edition_nonce":${print.editionNonce}` +
      `${print.editionNumber === null ? "" : `,"edition_number":${print.editionNumber}`}}`;

const extensionsText = ({ extensions }: AssetRecord): string => {
  let text = "";
  for (const name of Object.keys(extensions))
    text += `,"${name}":${writeJson(extensions[name] as JsonValue)}`;
  return text;
};

/** JSON object of what is joined, and of what only flags show; null when there is nothing. Groups are in it when any is unverified. */
export const shapeExtras = (record: AssetRecord): string | null => {
  const unverified = record.groups.some((group) => !group.verified);
  const { inherits } = record;
  const extras: Record<string, JsonValue | undefined> = {
    // First, where `joinAsset` looks for it.
    inherits: inherits === null ? undefined : { from: encodeAddress(inherits.from), facts: inherits.facts },
    token_info: record.tokenInfo === null ? undefined : shapeTokenInfo(record.tokenInfo),
    grouping: unverified
      ? record.groups.map((group) => ({ ...shapeGroup(group), verified: group.verified }))
      : undefined,
    inscription: record.inscription ?? undefined,
  };
  return Object.values(extras).every((member) => member === undefined) ? null : writeJson(extras);
};

const shapeGroup = (group: Group): { readonly group_key: string; readonly group_value: string } => ({
  group_key: group.key,
  group_value: group.value,
});

const shapeTokenInfo = (info: TokenInfo): JsonValue => ({
  supply: info.supply,
  decimals: info.decimals,
  token_program: encodeAddress(info.tokenProgram),
  mint_authority: info.mintAuthority === null ? undefined : encodeAddress(info.mintAuthority),
  freeze_authority: info.freezeAuthority === null ? undefined : encodeAddress(info.freezeAuthority),
});
