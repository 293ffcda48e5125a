import { describe, expect, test } from "vitest";
import { normalizeAsset, rawContent } from "./normalize-content.ts";

const normalized = (links: object, metadata: object) => {
  const asset = { content: { links, metadata } };
  normalizeAsset(asset);
  return asset;
};

describe("normalizeAsset", () => {
  test("leaves ordinary content as it is", () => {
    const links = { image: "https://a/b.png", more: { of: "it" } };
    const metadata = { description: "d", attributes: [{ trait_type: "Color", value: "Red", rarity: 1 }] };
    const { content } = normalized(links, metadata);
    expect(content).toEqual({ links, metadata });
    expect(rawContent({ content })).toBe(content);
  });

  test("writes numbers and booleans out where text belongs, and leaves the rest out", () => {
    const asset = normalized(
      { image: ["a"], animation_url: 7, external_url: null },
      {
        description: { en: "text" },
        attributes: [
          null,
          "x",
          ["y"],
          { trait_type: 1, value: { deep: true } },
          { value: 2, display_type: false },
        ],
      },
    );
    expect(asset.content).toEqual({
      links: { animation_url: "7" },
      metadata: { attributes: [{ trait_type: "1" }, { value: 2, display_type: "false" }] },
    });
    expect(rawContent(asset)).toMatchObject({
      links: { image: ["a"], animation_url: 7, external_url: null },
      metadata: { description: { en: "text" }, attributes: { length: 5 } },
    });
  });

  test("leaves attributes out that are no list", () => {
    expect(normalized({}, { attributes: { Color: "Red" } }).content.metadata).toEqual({});
  });

  test("gives collection metadata as text", () => {
    const about = { name: 5, symbol: "S", image: null, description: {}, external_url: "u" };
    const asset = { grouping: [{ group_key: "collection", collection_metadata: about }] };
    normalizeAsset(asset);
    expect(about).toEqual({ name: "5", symbol: "S", image: "", description: "", external_url: "u" });
  });
});
