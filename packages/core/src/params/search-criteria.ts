import type { SearchAssetsParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { Criterion, TokenType } from "../domain/search.ts";
import { parseAssetAddress } from "./parse-params.ts";
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

/** Paging, sorting and display options are no criteria. */
type Parameter = Exclude<
  keyof SearchAssetsParams,
  | "conditionType"
  | "negate"
  | "sortBy"
  | "limit"
  | "page"
  | "before"
  | "after"
  | "cursor"
  | "options"
  | "minContextSlot"
>;

type ValueOf<Name extends Parameter> = NonNullable<SearchAssetsParams[Name]>;
type Parser<Name extends Parameter> = (value: ValueOf<Name>, params: SearchAssetsParams) => Criterion | null;

/** Keys of the groups that have an address. No asset has another key. */
const addressedGroups: ReadonlySet<string> = new Set(["collection", "group"]);

/** The criterion of each parameter; null where it is a part of the criterion of another one. */
const parsers: { readonly [Name in Parameter]: Parser<Name> } = {
  interface: (value) => ({ kind: "interface", value }),
  ownerAddress: (text, { ownerType, options }) => ({
    kind: "owner",
    owner: parseAssetAddress("ownerAddress", text),
    ownerModel: ownerType ?? null,
    includeZero: options?.showZeroBalance ?? false,
  }),
  ownerType: (value, { ownerAddress }) => (ownerAddress === undefined ? { kind: "ownerModel", value } : null),
  creatorAddress: (text, { creatorVerified }) => ({
    kind: "creator",
    creator: parseAssetAddress("creatorAddress", text),
    verified: creatorVerified ?? null,
  }),
  creatorVerified: (verified, { creatorAddress }) =>
    creatorAddress === undefined ? { kind: "creatorVerified", verified } : null,
  authorityAddress: (text) => ({ kind: "authority", value: parseAssetAddress("authorityAddress", text) }),
  grouping: (grouping, { options }) => {
    const [key, value] = grouping as [string, string];
    if (addressedGroups.has(key)) parseAssetAddress("grouping.1", value);
    return {
      kind: "group",
      key,
      value,
      includeUnverified: options?.showUnverifiedCollections ?? false,
    };
  },
  delegateAddress: (text) => ({ kind: "delegate", value: parseAssetAddress("delegateAddress", text) }),
  supply: (value) => ({ kind: "supply", value: BigInt(value) }),
  supplyMint: (text) => ({ kind: "supplyMint", value: parseAssetAddress("supplyMint", text) }),
  frozen: (value) => ({ kind: "frozen", value }),
  compressed: (value) => ({ kind: "compressed", value }),
  compressible: (value) => ({ kind: "compressible", value }),
  burnt: (value) => ({ kind: "burnt", value }),
  royaltyTargetType: (value) => ({ kind: "royaltyModel", value }),
  royaltyTarget: (text) => ({ kind: "royaltyTarget", target: parseAssetAddress("royaltyTarget", text) }),
  // Basis points are u16 on chain; a larger amount is well-formed and matches nothing.
  royaltyAmount: (value) => {
    const amount = BigInt(value);
    return amount > 65_535n ? { kind: "nothing" } : { kind: "basisPoints", value: Number(amount) };
  },
  jsonUri: (value) => ({ kind: "jsonUri", value }),
  tokenType: (text) => ({ kind: "tokenType", tokenType: parseTokenType(text) }),
  name: (name, { ownerAddress }) => {
    if (ownerAddress !== undefined) return { kind: "name", name };
    throw new LamplightError("PARAM__INVALID", {
      parameter: "name",
      position: null,
      reason: "needs ownerAddress",
    });
  },
  tree: (text) => ({ kind: "tree", value: parseAssetAddress("tree", text) }),
};

/**
 * The criteria of a call, one for each condition. Texts may be as long as a request: Core and Token-2022 hold URIs of any length,
 * and what no asset has matches nothing.
 */
export const parseCriteria = (params: SearchAssetsParams): readonly Criterion[] =>
  names.flatMap((name) => criterionOf(name, params) ?? []);

const names = Object.keys(parsers) as readonly Parameter[];

const criterionOf = <Name extends Parameter>(name: Name, params: SearchAssetsParams): Criterion | null => {
  const parse: Parser<Name> = parsers[name];
  const value = params[name];
  return value === undefined ? null : parse(value as ValueOf<Name>, params);
};

const parseTokenType = (text: string): TokenType => {
  const tokenType = tokenTypes.get(text.toLowerCase());
  if (tokenType !== undefined) return tokenType;
  const nearest = nearestName(text, tokenTypes.values());
  throw new LamplightError("PARAM__INVALID", {
    parameter: "tokenType",
    position: null,
    reason: "must be fungible, nonFungible, regularNft, compressedNft or all",
    ...(nearest === undefined ? {} : { hint: `did you mean ${nearest}?` }),
  });
};
