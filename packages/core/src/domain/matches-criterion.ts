import type { AssetFacts, AssetInterface } from "./asset.ts";
import { hasFact, isFactCriterion } from "./fact-criteria.ts";
import type { Criterion, TokenType } from "./search.ts";

/**
 * Whether an asset meets a criterion, from its own facts: what keeps a term in memory in sync with changes. Facts that
 * it inherits are none of them (`inheritedForm`). Holdings (`owner` beyond `single`) are no facts of the asset: such a
 * criterion counts only the owner here.
 */
export const matchesCriterion = (criterion: Criterion, facts: AssetFacts): boolean => {
  if (isFactCriterion(criterion)) return hasFact(criterion, facts);
  switch (criterion.kind) {
    case "creatorVerified":
      return facts.creators.some((creator) => creator.verified === criterion.verified);
    case "creator":
      return facts.creators.some(
        (creator) =>
          equal(creator.address, criterion.creator) &&
          (criterion.verified === null || creator.verified === criterion.verified),
      );
    case "royaltyTarget":
      return facts.creators.some((creator) => creator.share > 0 && equal(creator.address, criterion.target));
    case "group":
      return facts.groups.some(
        (group) =>
          group.key === criterion.key &&
          group.value === criterion.value &&
          (group.verified || criterion.includeUnverified),
      );
    case "owner":
      return facts.ownerModel === "single" && equal(facts.assetOwner, criterion.owner);
    case "tokenType":
      return isOfTokenType(facts, criterion.tokenType);
    case "name":
      return facts.name.toLowerCase().includes(criterion.name.toLowerCase());
    case "inherits":
      return (
        facts.inherits !== null &&
        (facts.inherits.facts & criterion.fact) !== 0 &&
        equal(facts.inherits.from, criterion.from)
      );
    case "nothing":
      return false;
    default:
      return criterion satisfies never;
  }
};

const fungibleInterfaces: ReadonlySet<AssetInterface> = new Set(["FungibleAsset", "FungibleToken"]);

const isOfTokenType = (facts: AssetFacts, tokenType: TokenType): boolean => {
  const fungible = fungibleInterfaces.has(facts.interface);
  switch (tokenType) {
    case "all":
      return true;
    case "fungible":
      return fungible;
    case "nonFungible":
      return !fungible;
    case "regularNft":
      return !fungible && !facts.compressed;
    case "compressedNft":
      return facts.compressed;
    default:
      return tokenType satisfies never;
  }
};

const equal = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && Buffer.compare(a, b) === 0;
