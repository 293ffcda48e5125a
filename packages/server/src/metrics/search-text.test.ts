import { expect, test } from "vitest";
import { searchText } from "./search-text.ts";

test("shows what the search index takes, by kind; nothing where there is none", () => {
  expect(searchText(null)).toBe("");
  const text = searchText({
    isFilling: false,
    isRefused: true,
    changeSeq: 12,
    assets: 3,
    terms: 31,
    columnBytes: 144,
    orderBytes: 36,
    termBytes: 90,
  });
  expect(text.match(/^[a-z].*$/gmu)).toEqual([
    "lamplight_search_filling 0",
    "lamplight_search_refused 1",
    "lamplight_search_change_seq 12",
    "lamplight_search_assets 3",
    "lamplight_search_terms 31",
    'lamplight_search_bytes{kind="columns"} 144',
    'lamplight_search_bytes{kind="orders"} 36',
    'lamplight_search_bytes{kind="terms"} 90',
  ]);
});
