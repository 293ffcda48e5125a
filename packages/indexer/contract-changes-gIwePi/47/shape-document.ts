import { encodeAddress } from "@lamplight/codecs";
import type {
  Asset,
  Authority,
  Compression as WireCompression,
  Creator,
  Group as WireGroup,
  Ownership,
  PrintSupply as WirePrintSupply,
  Royalty,
  Uses as WireUses,
} from "./types.ts";
import {
  contentText,
  type Group,
  INHERITED_BASIS_POINTS,
  type JsonText,
  type JsonValue,
  listJson,
  objectWriter,
  plainText,
  writeJson,
} from "./core.ts";
import type { AssetRecord, Compression, JsonMembers, PrintSupply, Uses } from "../../src/record/asset-record.ts";
import { groupText, membersJson } from "./shape-extras.ts";

const BASIS_POINTS_WHOLE = 10_000;

const writeAsset = objectWriter<Asset>()(
  "interface",
  "id",
  "content",
  "authorities",
  "ownership",
  "compression",
  "royalty",
  "creators",
  "creators_raw",
  "grouping",
  "uses",
  "supply",
  "mutable",
  "burnt",
  "mint_extensions",
  "plugins",
  "unknown_plugins",
  "mpl_core_info",
  "external_plugins",
  "unknown_external_plugins",
  // Only flags show these: `shapeExtras` writes them.
  "token_info",
  "inscription",
);

/**
 * The public document of an asset: what getAsset answers without flags, but for its off-chain document. Members that the specification names
 * are always there; `uses`, `supply`, `token_standard` and extensions are left out when there is nothing to say.
 *
 * The text is put together directly, not by way of an object: every asset of every commit passes here, and the object
 * and its walk took longer than all decoding.
 */
export const shapeDocument = (record: AssetRecord): JsonText<Asset> => {
  const { authority, compression, rawRoyalty, uses, print, extensions } = record;
  return writeAsset(
    plainText(record.interface),
    addressText(record.id),
    contentText(record),
    listJson(authority === null ? [] : [writeAuthority(addressText(authority), everything)]),
    ownershipText(record),
    compression === null ? uncompressed : compressionText(compression),
    royaltyText(record),
    creatorsText(record.creators),
    rawRoyalty === null ? undefined : creatorsText(rawRoyalty.creators),
    groupingText(record.groups),
    uses === null ? undefined : usesText(uses),
    print === null ? undefined : printSupplyText(print),
    record.mutable,
    record.burnt,
    extensionText(extensions.mintExtensions),
    extensionText(extensions.plugins),
    extensionList(extensions.unknownPlugins),
    extensionText(extensions.coreInfo),
    extensionList(extensions.externalPlugins),
    extensionList(extensions.unknownExternalPlugins),
    undefined,
    undefined,
  );
};

/** Base58 needs no escaping. */
const addressText = (address: Uint8Array): JsonText<string> => plainText(encodeAddress(address));

const noText = plainText("");

const writeAuthority = objectWriter<Authority>()("address", "scopes");
const everything = listJson([plainText("full")]);

const writeOwnership = objectWriter<Ownership>()(
  "owner",
  "frozen",
  "delegated",
  "delegate",
  "ownership_model",
  "non_transferable",
);

const ownershipText = (record: AssetRecord): JsonText<Ownership> =>
  writeOwnership(
    record.assetOwner === null ? noText : addressText(record.assetOwner),
    record.frozen,
    record.delegate !== null,
    record.delegate === null ? null : addressText(record.delegate),
    plainText(record.ownerModel),
    record.nonTransferable ?? undefined,
  );

const writeCompression = objectWriter<WireCompression>()(
  "eligible",
  "compressed",
  "data_hash",
  "creator_hash",
  "asset_hash",
  "tree",
  "seq",
  "leaf_id",
  "collection_hash",
  "asset_data_hash",
  "flags",
);

const uncompressed = writeCompression(
  false,
  false,
  noText,
  noText,
  noText,
  noText,
  0,
  0,
  undefined,
  undefined,
  undefined,
);

const compressionText = (compression: Compression): JsonText<WireCompression> => {
  const { v2 } = compression;
  return writeCompression(
    false,
    true,
    addressText(compression.dataHash),
    addressText(compression.creatorHash),
    addressText(compression.assetHash),
    addressText(compression.tree),
    compression.seq,
    compression.leafIndex,
    v2 === null ? undefined : addressText(v2.collectionHash),
    v2 === null ? undefined : addressText(v2.assetDataHash),
    v2?.flags,
  );
};

const writeRoyalty = objectWriter<Royalty>()(
  "royalty_model",
  "target",
  "percent",
  "basis_points",
  "primary_sale_happened",
  "locked",
  "basis_points_raw",
  "inherited",
);
const creatorsModel = plainText("creators");

/** Basis points that are inherited are inserted when the asset is read. */
const royaltyText = ({ basisPoints, primarySaleHappened, rawRoyalty }: AssetRecord): JsonText<Royalty> => {
  const own = basisPoints === INHERITED_BASIS_POINTS ? 0 : basisPoints;
  return writeRoyalty(
    creatorsModel,
    null,
    own / BASIS_POINTS_WHOLE,
    own,
    primarySaleHappened,
    false,
    rawRoyalty?.basisPoints,
    rawRoyalty === null ? undefined : true,
  );
};

const writeCreator = objectWriter<Creator>()("address", "share", "verified");

const creatorsText = (creators: AssetRecord["creators"]): JsonText<Creator[]> =>
  listJson(
    creators.map(({ address, share, verified }) => writeCreator(addressText(address), share, verified)),
  );

const groupingText = (groups: readonly Group[]): JsonText<WireGroup[]> =>
  listJson(groups.filter(({ verified }) => verified).map((group) => groupText(group)));

const writeUses = objectWriter<WireUses>()("use_method", "remaining", "total");

const usesText = ({ useMethod, remaining, total }: Uses): JsonText<WireUses> =>
  writeUses(plainText(useMethod), remaining, total);

const writePrintSupply = objectWriter<WirePrintSupply>()(
  "print_max_supply",
  "print_current_supply",
  "edition_nonce",
  "edition_number",
);

const printSupplyText = (print: PrintSupply): JsonText<WirePrintSupply> =>
  writePrintSupply(
    print.maxSupply,
    print.currentSupply,
    print.editionNonce,
    print.editionNumber ?? undefined,
  );

const extensionText = (members: JsonMembers | undefined): JsonText<JsonMembers> | undefined =>
  members === undefined ? undefined : membersJson(members);

const extensionList = (items: readonly JsonValue[] | undefined): JsonText<unknown[]> | undefined =>
  items === undefined ? undefined : writeJson<unknown[]>(items);
