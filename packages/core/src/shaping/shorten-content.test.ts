import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { contentParts } from "../content/content-parts.ts";
import { contentText, joinContent } from "../content/content-text.ts";
import { ITEM_DOCUMENT_BYTES_MAX, shortenContent, shortenParts } from "./shorten-content.ts";

const attribute = (index: number): string => `{"trait_type":"a,b]}","value":${index}.0,"more":["\\"",{}]}`;

const listOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => attribute(index)).join(",");

interface Parts {
  readonly attributes?: string;
  readonly files?: string;
  readonly description?: string;
  readonly image?: string;
}

const documentOf = ({ attributes = "", files = "", description = '"d"', image = '"i"' }: Parts): string =>
  `{"interface":"V1_NFT","id":"x","content":{"$schema":"s","json_uri":"u","files":[${files}],` +
  `"metadata":{"attributes":[${attributes}],"description":${description},"name":"n","symbol":"\\\\","token_standard":"NonFungible"},` +
  `"links":{"image":${image},"external_url":"e"}},"authorities":[],"plugins":{"value":18446744073709551615}}`;

const long = (characters: number, of = "x"): string => `"${of.repeat(characters)}"`;

describe("shortenContent", () => {
  test("leaves alone what fits", () => {
    const document = documentOf({ attributes: listOf(100), description: long(50_000) });
    expect(shortenContent(document)).toBe(document);
  });

  test("keeps attributes from the front, with every digit, and says that it is a part", () => {
    const short = shortenContent(documentOf({ attributes: listOf(33_000) }));
    const { content, ...rest } = JSON.parse(short) as { content: Record<string, unknown> };
    expect(Buffer.byteLength(short)).toBeLessThan(ITEM_DOCUMENT_BYTES_MAX + 1000);
    expect(Buffer.byteLength(short)).toBeGreaterThan(ITEM_DOCUMENT_BYTES_MAX - 200);
    expect(Object.keys(content)).toEqual(["$schema", "json_uri", "files", "metadata", "links", "truncated"]);
    expect(content).toMatchObject({ truncated: true, links: { image: "i", external_url: "e" } });
    const { attributes, ...metadata } = content["metadata"] as { attributes: readonly object[] };
    expect(metadata).toEqual({ description: "d", name: "n", symbol: "\\", token_standard: "NonFungible" });
    expect(attributes).toEqual(JSON.parse(`[${listOf(attributes.length)}]`));
    expect(short).toContain(attribute(0));
    expect(Object.keys(rest)).toEqual(["interface", "id", "authorities", "plugins"]);
    expect(short).toContain('"plugins":{"value":18446744073709551615}}');
  });

  test.each<[string, Parts, object]>([
    [
      "a long description",
      { description: long(70_000), attributes: attribute(1) },
      { metadata: { name: "n", attributes: [JSON.parse(attribute(1))] } },
    ],
    ["bytes, not characters", { description: long(30_000, "\u20ac") }, { metadata: { name: "n" } }],
    [
      "a long link",
      { image: long(70_000) },
      { links: { external_url: "e" }, metadata: { description: "d" } },
    ],
    ["long files", { files: `${long(60_000)},${long(60_000)}` }, { files: ["x".repeat(60_000)] }],
    ["one attribute that is too long", { attributes: long(70_000) }, { metadata: { attributes: [] } }],
  ])("cuts %s", (_what, parts, expected) => {
    const { content } = JSON.parse(shortenContent(documentOf(parts))) as { content: object };
    expect(content).toMatchObject({ ...expected, truncated: true });
    expect(JSON.stringify(content)).not.toContain("\u20ac");
  });
});

describe("shortenParts", () => {
  const ownContent = contentText({ jsonUri: "u", name: "n", symbol: '"', tokenStandard: "NonFungible" });
  const own = `{"interface":"V1_NFT","content":${ownContent},"mutable":true}`;
  const pieces = fc.array(fc.string({ unit: "binary", maxLength: 30 }), { maxLength: 8 });

  test("leaves out what is left out of an asset that it is joined to", () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            description: fc.string({ unit: "binary", maxLength: 60 }),
            image: fc.string({ maxLength: 40 }),
            external_url: fc.string({ maxLength: 40 }),
            attributes: pieces.map((values) => values.map((value) => ({ trait_type: "t", value }))),
            properties: pieces.map((uris) => ({ files: uris.map((uri) => ({ uri, type: "image/png" })) })),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 0, max: 300 }),
        (json, bytesMax) => {
          const parts = contentParts(JSON.stringify(json))!;
          const short = shortenParts(parts, bytesMax);
          if (Buffer.byteLength(parts) <= bytesMax) expect(short).toBe(parts);
          else expect(joinContent(own, short)).toBe(shortenContent(joinContent(own, parts), bytesMax));
        },
      ),
    );
  });
});
