// Finds the incomplete trees that an answer must name: those whose missing leaves could change it.

import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { StoredAsset } from "../domain/asset.ts";
import type { AssetQuery, Criterion, TokenType } from "../domain/search.ts";
import type { MaybePromise } from "../domain/address.ts";
import { whenReady } from "../ports/when-ready.ts";
import type { ReadView } from "../ports/read-view.ts";
import type { RequestViews } from "./call-context.ts";

/** The asset that was not found may be a missing leaf of any tree. */
export const noteTreesOfAbsence = (views: RequestViews, { incompleteTrees }: ReadView): void =>
  views.noteIncompleteTrees(incompleteTrees.map(({ tree }) => tree));

/** A missing leaf changes a known asset only in its own tree. An asset that is not compressed never changes. */
export const noteTreeOfAsset = (
  views: RequestViews,
  view: ReadView,
  { document }: StoredAsset,
): MaybePromise<void> => {
  const { incompleteTrees } = view;
  if (incompleteTrees.length === 0) return;
  const tree = treeOf(document);
  if (tree === null) return;
  const isListed = incompleteTrees.some((incomplete) => incomplete.tree === tree);
  // A store may list only the first 1000 trees.
  return whenReady(isListed || (view.isTreeIncomplete?.(decodeAddress(tree)) ?? false), (isIncomplete) => {
    if (isIncomplete) views.noteIncompleteTrees([tree]);
  });
};

/**
 * The tree in the document of a compressed asset. The last occurrence of the member counts, because off-chain JSON
 * before it may contain the same name; nothing after it comes from outside.
 */
const treeOf = (document: string): string | null => {
  if (!document.startsWith('{"interface":"V1_NFT"')) return null;
  const start = document.lastIndexOf(',"compression":{');
  const end = document.indexOf("}", start);
  const compression = document.slice(start, end);
  if (start < 0 || !compression.includes('"compressed":true')) return null;
  return /"tree":"(\w+)"/u.exec(compression)?.[1] ?? null;
};

export const noteTreesOfSearch = (
  views: RequestViews,
  { incompleteTrees }: ReadView,
  query: AssetQuery,
): void => {
  if (incompleteTrees.length === 0) return;
  const trees = incompleteTrees.map(({ tree }) => tree);
  views.noteIncompleteTrees(trees.filter((tree) => mayMatchLeaf(query, tree)));
};

/** Result of a criterion for an unknown leaf of a tree; null = it depends on the leaf. */
type Verdict = boolean | null;

/** Whether any leaf of that tree can match. */
const mayMatchLeaf = ({ criteria, match, negate }: AssetQuery, tree: string): boolean => {
  const verdicts = criteria.map((criterion) => verdictOf(criterion, tree));
  // One such criterion decides the whole group.
  const decisive = match === "any" && criteria.length > 0;
  const group = verdicts.includes(decisive) ? decisive : verdicts.includes(null) ? null : !decisive;
  return group === null || group !== negate;
};

/** Facts that all compressed assets of a tree share. */
const verdictOf = (criterion: Criterion, tree: string): Verdict => {
  switch (criterion.kind) {
    case "interface":
      return criterion.interface === "V1_NFT";
    case "ownerModel":
      return criterion.ownerModel === "single";
    case "owner":
      return criterion.ownerModel === "token" ? false : null;
    case "royaltyModel":
      return criterion.royaltyModel === "creators";
    case "supplyMint":
    case "nothing":
      return false;
    case "supply":
      return criterion.supply > 1n ? false : null;
    case "group":
      return criterion.key === "collection" ? null : false;
    case "flag":
      if (criterion.flag === "compressed") return criterion.value;
      return criterion.flag === "compressible" ? !criterion.value : null;
    case "tree":
      return encodeAddress(criterion.tree) === tree;
    case "tokenType":
      return compressedTypes.has(criterion.tokenType);
    case "creator":
    case "creatorVerified":
    case "authority":
    case "delegate":
    case "royaltyTarget":
    case "basisPoints":
    case "inherits":
    case "jsonUri":
    case "name":
      return null;
    default:
      return criterion satisfies never;
  }
};

const compressedTypes: ReadonlySet<TokenType> = new Set(["nonFungible", "compressedNft", "all"]);
