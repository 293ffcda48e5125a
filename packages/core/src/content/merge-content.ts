// The member `content`: names from the chain, the rest from the JSON behind the asset's URI.

import type { JsonValue } from "../json/json-text.ts";
import { isJsonObject, type JsonObject, textOf } from "./json-shapes.ts";
import { listFiles } from "./list-files.ts";

export const schema = "https://schema.metaplex.com/nft1.0.json";

/** Content of an asset that is stored on chain. */
export interface ChainContent {
  readonly name: string;
  readonly symbol: string;
  readonly jsonUri: string;
  /** Wire name; null leaves the member out. */
  readonly tokenStandard: string | null;
}

/**
 * Merges chain and document. Name, symbol and standard are always those on chain. Description, attributes, links and
 * files are those of the document, where they have the expected type.
 *
 * @param document - the off-chain JSON; null while it is not stored, and for JSON that is no object
 */
export const mergeContent = (chain: ChainContent, document: JsonValue | null): JsonValue => {
  const said: JsonObject = document !== null && isJsonObject(document) ? document : {};
  return {
    $schema: schema,
    json_uri: chain.jsonUri,
    files: listFiles(said).map(({ uri, mime }) => ({ uri, mime })),
    metadata: {
      attributes: shapeAttributes(said["attributes"]),
      description: typeof said["description"] === "string" ? said["description"] : undefined,
      name: chain.name,
      symbol: chain.symbol,
      token_standard: chain.tokenStandard ?? undefined,
    },
    links: shapeLinks(said),
  };
};

/** A list of objects, unchanged. Any other value gives an empty list. */
const shapeAttributes = (attributes: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(attributes) ? (attributes as readonly JsonValue[]).filter(isJsonObject) : undefined;

const linkNames = ["image", "animation_url", "external_url"];

const shapeLinks = (document: JsonObject): JsonValue =>
  Object.fromEntries(linkNames.map((name) => [name, textOf(document[name]) ?? undefined]));
