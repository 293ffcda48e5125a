// These tests check where the words lead that readers type into the search of the site.
import { describe, expect, test } from "vitest";
import { searchWords } from "./pages/site-index.ts";
import { siteFiles } from "./site.ts";

interface Entry {
  readonly path: string;
}

const { editsBetween, findEntries, readEntries } = (await import(
  new URL("assets/search-score.js", import.meta.url).href
)) as {
  editsBetween: (one: string, other: string, max: number) => number;
  findEntries: (entries: readonly Entry[], query: string) => readonly Entry[];
  readEntries: (entries: unknown) => readonly Entry[];
};

const files = siteFiles();
const entries = readEntries(JSON.parse(files.get("search.json")!));
const pathsOf = (query: string): readonly string[] => findEntries(entries, query).map(({ path }) => path);

describe("the search of the site", () => {
  test.each([
    ["webhook", "guides/questions.html#webhooks"],
    ["webhooks", "guides/questions.html#webhooks"],
    ["pnft", "guides/questions.html#programmable-nfts-pnft"],
    ["cNFT", "guides/compressed-assets.html"],
    ["429", "errors/RateExceeded.html"],
    ["docker", "guides/run-a-server.html"],
    ["cors", "guides/questions.html#cors-calls-from-a-browser"],
    ["vitest", "guides/test-your-app.html"],
    ["getProgramAccounts", "guides/questions.html#getprogramaccounts"],
    ["getAssetsByOwner", "methods/searchAssets.html"],
    ["-32069", "errors/Busy.html"],
    ["rate limit", "guides/errors-and-retries.html"],
  ])("finds %s on %s", (query, path) => {
    expect(pathsOf(query).slice(0, 8)).toContain(path);
  });

  test.each(["test", "tests", "testing", "vitest", "jest", "mock", "localnet", "litesvm", "playwright"])(
    "leads from %s to the guide about tests",
    (query) => {
      expect(pathsOf(query)[0]).toBe("guides/test-your-app.html");
    },
  );

  test.each([
    ["serchAssets", "methods/searchAssets.html"],
    ["getAsest", "methods/getAsset.html"],
    ["webhok", "guides/questions.html#webhooks"],
    ["dokcer", "guides/run-a-server.html"],
    ["fungibel balances", "guides/fungible-balances.html"],
    ["comitment", "guides/commitment.html"],
  ])("understands the typing error %s", (query, path) => {
    expect(pathsOf(query)).toContain(path);
  });

  test("shows words of every entry, and no Markdown", () => {
    const shown = files.get("search.json")!;
    expect(shown).toContain("the methods of the DAS specification, under");
    expect(shown).not.toMatch(/\]\(http/u);
  });

  test("shows nothing for what is nowhere, and for nothing", () => {
    for (const query of ["xylophone", "getWeather", "?!", "", "  "])
      expect([query, pathsOf(query)]).toEqual([query, []]);
  });

  test("gives words to pages that exist", () => {
    for (const path of Object.keys(searchWords)) expect([path, files.has(path)]).toEqual([path, true]);
  });
});

test("counts edits as letters added, left out, changed or swapped", () => {
  for (const [one, other, edits] of [
    ["docker", "docker", 0],
    ["dokcer", "docker", 1],
    ["doker", "docker", 1],
    ["dockerr", "docker", 1],
    ["docter", "docker", 1],
    ["kitten", "sitting", 3],
    ["ab", "abcd", 2],
  ] as const) {
    expect([one, other, editsBetween(one, other, 3)]).toEqual([one, other, edits]);
    expect([other, one, editsBetween(other, one, 3)]).toEqual([other, one, edits]);
  }
  expect(editsBetween("kitten", "sitting", 2)).toBe(3);
});
