import type { SearchAssetsParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { AssetInterface } from "../domain/asset.ts";
import type { Criterion, TokenType } from "../domain/search.ts";
import { parseAssetAddress } from "./addresses.ts";
import { nearestName } from "./nearest-name.ts";

/** Every way real clients spell a token type, in lower case. */
const tokenTypes: ReadonlyMap<string, TokenType> = new Map([
  ["fungible", "fungible"],
  ["nonfungible", "nonFungible"],
  ["regularnft", "regularNft"],
  ["nft", "regularNft"],
  ["compressednft", "compressedNft"],
  ["compressed", "compressedNft"],
  ["all", "all"],
]);

/**
 * The user's criteria, one per decision 15; paging, sorting and display options are none. Texts may be as long as a request:
 * Core and Token-2022 hold URIs of any length, and what no asset has matches nothing.
 */
export const parseCriteria = (params: SearchAssetsParams): readonly Criterion[] => {
  const criteria: Criterion[] = [];
  for (const parse of parsers) {
    const criterion = parse(params);
    if (criterion !== null) criteria.push(criterion);
  }
  return criteria;
};

type CriterionParser = (params: SearchAssetsParams) => Criterion | null;

const parsers: readonly CriterionParser[] = [
  ({ interface: name }) =>
    name === undefined ? null : { kind: "interface", interface: name as AssetInterface },
  (params) => parseOwner(params),
  (params) => parseCreator(params),
  ({ authorityAddress: text }) =>
    text === undefined ? null : { kind: "authority", authority: parseAssetAddress("authorityAddress", text) },
  (params) => parseGroup(params),
  ({ delegateAddress: text }) =>
    text === undefined ? null : { kind: "delegate", delegate: parseAssetAddress("delegateAddress", text) },
  ({ supply }) => (supply === undefined ? null : { kind: "supply", supply: BigInt(supply) }),
  ({ supplyMint: text }) =>
    text === undefined ? null : { kind: "supplyMint", mint: parseAssetAddress("supplyMint", text) },
  ({ frozen: value }) => (value === undefined ? null : { kind: "flag", flag: "frozen", value }),
  ({ compressed: value }) => (value === undefined ? null : { kind: "flag", flag: "compressed", value }),
  ({ compressible: value }) => (value === undefined ? null : { kind: "flag", flag: "compressible", value }),
  ({ burnt: value }) => (value === undefined ? null : { kind: "flag", flag: "burnt", value }),
  ({ royaltyTargetType }) =>
    royaltyTargetType === undefined ? null : { kind: "royaltyModel", royaltyModel: royaltyTargetType },
  ({ royaltyTarget: text }) =>
    text === undefined ? null : { kind: "royaltyTarget", target: parseAssetAddress("royaltyTarget", text) },
  (params) => parseRoyaltyAmount(params),
  ({ jsonUri }) => (jsonUri === undefined ? null : { kind: "jsonUri", jsonUri }),
  (params) => parseTokenType(params),
  (params) => parseName(params),
  ({ tree: text }) => (text === undefined ? null : { kind: "tree", tree: parseAssetAddress("tree", text) }),
];

const parseOwner = ({ ownerAddress, ownerType, options }: SearchAssetsParams): Criterion | null => {
  if (ownerAddress === undefined)
    return ownerType === undefined ? null : { kind: "ownerModel", ownerModel: ownerType };
  return {
    kind: "owner",
    owner: parseAssetAddress("ownerAddress", ownerAddress),
    ownerModel: ownerType ?? null,
    includeZero: options?.showZeroBalance ?? false,
  };
};

const parseCreator = ({ creatorAddress, creatorVerified }: SearchAssetsParams): Criterion | null => {
  if (creatorAddress === undefined)
    return creatorVerified === undefined ? null : { kind: "creatorVerified", verified: creatorVerified };
  return {
    kind: "creator",
    creator: parseAssetAddress("creatorAddress", creatorAddress),
    verified: creatorVerified ?? null,
  };
};

const parseGroup = ({ grouping, options }: SearchAssetsParams): Criterion | null => {
  if (grouping === undefined) return null;
  const [key, value] = grouping as readonly string[];
  return {
    kind: "group",
    key: key!,
    value: value!,
    includeUnverified: options?.showUnverifiedCollections ?? false,
  };
};

/** Basis points are u16 on chain; a larger amount is well-formed and matches nothing. */
const parseRoyaltyAmount = ({ royaltyAmount }: SearchAssetsParams): Criterion | null => {
  if (royaltyAmount === undefined) return null;
  const amount = BigInt(royaltyAmount);
  return amount > 65_535n ? { kind: "nothing" } : { kind: "basisPoints", basisPoints: Number(amount) };
};

const parseTokenType = ({ tokenType: text }: SearchAssetsParams): Criterion | null => {
  if (text === undefined) return null;
  const tokenType = tokenTypes.get(text.toLowerCase());
  if (tokenType === undefined) {
    const nearest = nearestName(text, tokenTypes.values());
    throw new LamplightError("PARAM__INVALID", {
      parameter: "tokenType",
      position: null,
      reason: "must be fungible, nonFungible, regularNft, compressedNft or all",
      ...(nearest === undefined ? {} : { hint: `did you mean ${nearest}?` }),
    });
  }
  return { kind: "tokenType", tokenType };
};

const parseName = ({ name, ownerAddress }: SearchAssetsParams): Criterion | null => {
  if (name === undefined) return null;
  if (ownerAddress === undefined)
    throw new LamplightError("PARAM__INVALID", {
      parameter: "name",
      position: null,
      reason: "needs ownerAddress",
    });
  return { kind: "name", name };
};
