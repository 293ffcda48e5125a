import { describe, expect, test } from "vitest";
import { compileGlobs } from "./glob.ts";

describe("compileGlobs", () => {
  test.each([
    ["editions/*", "editions/get_nft_editions", true],
    ["editions/*", "editions/get_nft_editions (accounts)", true],
    ["editions/*", "editions/deep/er", false],
    ["**", "editions/deep/er", true],
    ["token-metadata/*,editions/*", "editions/x", true],
    ["{cnft-v1,cnft-v2}/mint_*", "cnft-v2/mint_v2", true],
    ["{cnft-v1,cnft-v2}/mint_*", "cnft-v3/mint_v2", false],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["param-vectors/**", "param-vectors/config dataSlice {}", true],
    ["a.c (x+y)", "a.c (x+y)", true],
    ["a.c", "abc", false],
    ["", "anything", false],
  ])("%j on %j answers %j", (globs, name, matches) => {
    expect(compileGlobs(globs)(name)).toBe(matches);
  });
});
