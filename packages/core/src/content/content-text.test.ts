import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/json-text.ts";
import { writeJson } from "../json/write-json.ts";
import { contentParts } from "./content-parts.ts";
import { type ChainContent, contentText, joinContent, jsonUriOf } from "./content-text.ts";
import { type JsonObject, isJsonObject, textOf } from "./json-shapes.ts";
import { listFiles } from "./list-files.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  // These strings contain the text that the join looks for.
  fc.constantFrom(',"files":[],"metadata":{', '},"links":{}}', '"', "\\", '\\\\"', "\n"),
);
const chains = fc.record({
  name: text,
  symbol: text,
  jsonUri: text,
  tokenStandard: fc.option(fc.constant("NonFungible")),
});
const documents = fc.oneof(
  fc.record(
    {
      image: fc.jsonValue(),
      description: text,
      attributes: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

/** The whole of `content` as one object. */
const wholeContent = (chain: ChainContent, document: JsonValue): JsonValue => {
  const said: JsonObject = isJsonObject(document) ? document : {};
  const { attributes, description } = said;
  return {
    $schema: "https://schema.metaplex.com/nft1.0.json",
    json_uri: chain.jsonUri,
    files: listFiles(said).map(({ uri, mime }) => ({ uri, mime })),
    metadata: {
      attributes: Array.isArray(attributes) ? attributes.filter(isJsonObject) : undefined,
      description: typeof description === "string" ? description : undefined,
      name: chain.name,
      symbol: chain.symbol,
      token_standard: chain.tokenStandard ?? undefined,
    },
    links: Object.fromEntries(
      ["image", "animation_url", "external_url"].map((name) => [name, textOf(said[name]) ?? undefined]),
    ),
  };
};

/** As derived: members before the content hold no free text, those behind it do. */
const ownDocument = (content: string, rest: string): string =>
  `{"interface":"V1_NFT","id":"1","content":${content},"plugins":${rest}}`;

describe("joinContent", () => {
  test("gives what chain and document make as one, regardless of what they hold", () => {
    fc.assert(
      fc.property(chains, documents, fc.jsonValue(), (chain, document, rest) => {
        const own = ownDocument(contentText(chain), writeJson(rest as JsonValue));
        expect(own).toBe(ownDocument(writeJson(wholeContent(chain, null)), writeJson(rest as JsonValue)));
        const parts = contentParts(writeJson(document as JsonValue));
        const joined = parts === null ? own : joinContent(own, parts);
        // Read back, since an author may write a member name that JavaScript moves to the front.
        expect(joined).toBe(
          ownDocument(
            writeJson(wholeContent(chain, JSON.parse(writeJson(document as JsonValue)) as JsonValue)),
            writeJson(rest as JsonValue),
          ),
        );
      }),
    );
  });

  test("keeps every digit of the document", () => {
    const own = ownDocument(
      contentText({ name: "N", symbol: "S", jsonUri: "u", tokenStandard: null }),
      "null",
    );
    const attributes = '[{"value":18446744073709551615},{"value":1.0}]';
    expect(joinContent(own, contentParts(`{"attributes":${attributes}}`)!)).toContain(
      `"metadata":{"attributes":${attributes},"name":"N","symbol":"S"}`,
    );
  });
});

test("jsonUriOf finds the URI of a document, regardless of what it holds", () => {
  fc.assert(
    fc.property(chains, (chain) => {
      expect(jsonUriOf(ownDocument(contentText(chain), "null"))).toBe(chain.jsonUri);
    }),
  );
  expect(jsonUriOf("{}")).toBe("");
});

test.each(["", "{", "null", "[{}]", '"text"', "7"])("contentParts makes nothing of %j", (json) => {
  expect(contentParts(json)).toBeNull();
});
