import { createCoreCollection, createCoreGroup, mintCore } from "./core-assets.ts";
import type { WorldContext } from "./world-context.ts";
import type { Minted } from "./minted.ts";
import { invalid } from "../input.ts";
import { mintLeaf } from "./leaf-assets.ts";
import { assetKinds, collectionKinds, type CollectionInput, type MintInput } from "./mint-input.ts";
import { createNftCollection, createTokenGroup, mintToken } from "./mint-token.ts";

/** Mints an asset with the program of its kind. */
export const mintByKind = (context: WorldContext, input: MintInput): Minted => {
  const kind: unknown = input.kind;
  if (!(assetKinds as readonly unknown[]).includes(kind))
    throw invalid("kind", `must be one of ${assetKinds.join(", ")}`);
  if (input.kind === "core") return mintCore(context, input);
  const isLeaf = input.kind === "compressed" || input.kind === "compressed-v2";
  return isLeaf ? mintLeaf(context, input) : mintToken(context, input);
};

/** Creates a collection with the program of its kind. */
export const createCollectionByKind = (context: WorldContext, input: CollectionInput): Minted => {
  if (typeof input.name !== "string") throw invalid("name", "must be text");
  switch (input.kind ?? "core") {
    case "core":
      return createCoreCollection(context, input);
    case "nft":
      return createNftCollection(context, input);
    case "token-2022":
      return createTokenGroup(context, input);
    case "core-group":
      return createCoreGroup(context, input);
    default:
      throw invalid("kind", `must be one of ${collectionKinds.join(", ")}`);
  }
};
