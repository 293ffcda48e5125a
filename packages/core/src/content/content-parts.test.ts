import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonValue } from "../json/json-text.ts";
import { writeJson } from "../json/write-json.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentParts } from "./content-parts.ts";
import { type ChainContent, contentText, joinContent } from "./content-text.ts";
import { guessMime } from "./guess-mime.ts";

const shared = process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared");
const caseFiles = globSync(join(shared, "das-cases/offchain-content/*/case.json"));
if (caseFiles.length === 0) console.warn(`skipped: no shared test data at ${shared}`);

const chain = {
  name: "Chain Name",
  symbol: "SYM",
  jsonUri: "https://example.com/1.json",
  tokenStandard: null,
};

interface Content {
  readonly files: readonly { readonly uri: string; readonly mime: string }[];
  readonly links: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const contentWith = (own: ChainContent, json: string): string => {
  const parts = contentParts(json);
  return parts === null ? contentText(own) : joinContent(contentText(own), parts);
};

const merge = (document: unknown): Content =>
  JSON.parse(contentWith(chain, writeJson(document as JsonValue))) as Content;

interface ContentStep {
  readonly content: {
    readonly chain: { readonly name: string; readonly symbol: string; readonly token_standard: string };
    readonly jsonUri: string;
    readonly offchain: string;
  };
  readonly expect: { readonly partial: readonly { readonly path: string; readonly equals: unknown }[] };
}

const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);

describe.skipIf(caseFiles.length === 0)("content of recorded documents", () => {
  test.each(caseFiles.map((file) => [file.split("/").at(-2), file] as const))("%s", (_name, file) => {
    const { steps } = JSON.parse(readFileSync(file, "utf8")) as { steps: readonly ContentStep[] };
    for (const { content, expect: expected } of steps) {
      const merged = contentWith(
        {
          name: content.chain.name,
          symbol: content.chain.symbol,
          jsonUri: content.jsonUri,
          tokenStandard: content.chain.token_standard,
        },
        readFileSync(join(dirname(file), content.offchain), "utf8"),
      );
      const shown = JSON.parse(merged) as unknown;
      for (const { path, equals } of expected.partial) expect(at(shown, path)).toEqual(equals);
      expect(at(shown, "/metadata/name")).toBe(content.chain.name);
    }
  });
});

describe("contentParts", () => {
  test("without a document there are no files, no links and no description", () => {
    expect(contentText(chain)).toBe(
      '{"$schema":"https://schema.metaplex.com/nft1.0.json","json_uri":"https://example.com/1.json","files":[],"metadata":{"name":"Chain Name","symbol":"SYM"},"links":{}}',
    );
  });

  test("names in the document are not used; description and attributes are taken over digit for digit", () => {
    const document =
      '{"name":"x","symbol":"y","description":"d","attributes":[{"trait_type":"Big","value":18446744073709551616,"display_type":"number"},null,"x",{"value":[1.0]}]}';
    expect(contentWith(chain, document)).toContain(
      '"metadata":{"attributes":[{"trait_type":"Big","value":18446744073709551616,"display_type":"number"},{"value":[1.0]}],"description":"d","name":"Chain Name","symbol":"SYM"}',
    );
  });

  test("the image comes first, then the animation, then the files as listed, each once", () => {
    const { files, links } = merge({
      image: "https://a/i",
      animation_url: "https://a/v.mp4",
      external_url: "https://home",
      properties: {
        files: [
          { uri: "https://a/z.glb", type: "model/gltf-binary" },
          "https://a/s.webp",
          { url: "https://a/i", type: "image/gif" },
          { uri: "https://a/z.glb", type: "late" },
          { uri: "https://a/unknown" },
        ],
      },
    });
    expect(files).toEqual([
      { uri: "https://a/i", mime: "image/gif" },
      { uri: "https://a/v.mp4", mime: "video/mp4" },
      { uri: "https://a/z.glb", mime: "model/gltf-binary" },
      { uri: "https://a/s.webp", mime: "image/webp" },
      { uri: "https://a/unknown", mime: "application/octet-stream" },
    ]);
    expect(links).toEqual({
      image: "https://a/i",
      animation_url: "https://a/v.mp4",
      external_url: "https://home",
    });
  });

  test.each([
    ["a list", [{ image: "x" }]],
    ["text", "text"],
    ["null", null],
    ["files that are an object", { properties: { files: { uri: "x" } } }],
    ["files of nulls", { properties: { files: [null, 1, true, { uri: 3 }, { type: "image/png" }, ""] } }],
    ["properties that are a list", { properties: [{ files: ["x"] }] }],
    ["links that are no text", { image: 1, animation_url: null, external_url: { a: 1 } }],
    ["blank links", { image: "", external_url: "  " }],
    ["attributes that are no list", { attributes: { trait_type: "x" }, description: 7 }],
  ])("%s: nothing is made of it", (_what, document) => {
    expect(merge(document)).toMatchObject({
      files: [],
      links: {},
      metadata: { name: "Chain Name", symbol: "SYM" },
    });
    expect(Object.keys(merge(document).metadata)).toEqual(["name", "symbol"]);
  });

  test("Anything that the document, the answer has its shape", () => {
    const file = fc.oneof(fc.webUrl(), fc.record({ uri: fc.webUrl(), type: fc.string() }), fc.jsonValue());
    const document = fc.record(
      { image: fc.jsonValue(), properties: fc.record({ files: fc.array(file) }), attributes: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(document, fc.jsonValue()), (value) => {
        const { files, links } = merge(value);
        const uris = files.map(({ uri }) => uri);
        expect(new Set(uris).size).toBe(uris.length);
        if (links["image"] !== undefined) expect(uris[0]).toBe(links["image"]);
        for (const shown of files) expect(shown.mime).not.toBe("");
      }),
    );
  });
});

describe("guessMime", () => {
  test.each([
    ["https://a/b.PNG", "image/png"],
    ["https://a/b.jpeg?x=1#f", "image/jpeg"],
    ["https://arweave.net/abc?ext=mp4", "video/mp4"],
    ["https://a/constructor.constructor", null],
    ["https://a.png/b", null],
    ["ipfs://cid/1.svg", "image/svg+xml"],
  ])("%s is %s", (uri, mime) => {
    expect(guessMime(uri)).toBe(mime);
  });
});
