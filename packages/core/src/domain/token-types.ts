import type { AssetFacts, AssetInterface } from "./asset.ts";
import type { TokenType } from "./search.ts";

/** Interfaces of assets that are fungible tokens. */
export const fungibleInterfaces: readonly AssetInterface[] = ["FungibleToken", "FungibleAsset"];

/** The facts that a token type asks of an asset; null = either. */
interface TokenTypeFacts {
  readonly fungible: boolean | null;
  readonly compressed: boolean | null;
}

export const tokenTypes: { readonly [Type in TokenType]: TokenTypeFacts } = {
  all: { fungible: null, compressed: null },
  fungible: { fungible: true, compressed: null },
  nonFungible: { fungible: false, compressed: null },
  regularNft: { fungible: false, compressed: false },
  compressedNft: { fungible: null, compressed: true },
};

export const hasTokenType = (
  tokenType: TokenType,
  facts: Pick<AssetFacts, "interface" | "compressed">,
): boolean => {
  const { fungible, compressed } = tokenTypes[tokenType];
  return (
    (fungible === null || fungible === fungibleInterfaces.includes(facts.interface)) &&
    (compressed === null || compressed === facts.compressed)
  );
};
