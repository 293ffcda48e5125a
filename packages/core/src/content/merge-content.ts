// The member `content`: names from the chain, the rest from the JSON behind the asset's URI.

import type { JsonValue } from "../json/json-text.ts";
import { isJsonObject, type JsonObject, textOf } from "./json-shapes.ts";
import { listFiles } from "./list-files.ts";

export const schema = "https://schema.metaplex.com/nft1.0.json";

/** What the chain says of an asset's content. */
export interface ChainContent {
  readonly name: string;
  readonly symbol: string;
  readonly jsonUri: string;
  /** Wire name; null leaves the member out. */
  readonly tokenStandard: string | null;
}

/**
 * Chain and document as one. The name, symbol and standard are the chain's, regardless of what the document says of them;
 * description, attributes, links and files are the document's, where they have the type that callers expect.
 *
 * @param document - the off-chain JSON; null while it is not there, and for JSON that is no object: no files, no links
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

/** A list of objects as its author wrote them; anything else is none. */
const shapeAttributes = (attributes: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(attributes) ? (attributes as readonly JsonValue[]).filter(isJsonObject) : undefined;

const linkNames = ["image", "animation_url", "external_url"];

const shapeLinks = (document: JsonObject): JsonValue =>
  Object.fromEntries(linkNames.map((name) => [name, textOf(document[name]) ?? undefined]));
