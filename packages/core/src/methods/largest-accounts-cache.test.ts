import { storedJson } from "../json/json-text.ts";
import { describe, expect, test } from "vitest";
import { LargestAccountsCache } from "./largest-accounts-cache.ts";

describe("LargestAccountsCache", () => {
  test("keeps an answer by filter until its life is over", () => {
    let nowMs = 1000;
    const cache = new LargestAccountsCache(2, () => nowMs);
    cache.keep("all", storedJson("answer"), 7);
    expect(cache.find("all")).toMatchObject({ text: "answer", slot: 7 });
    expect(cache.find("circulating")).toBeNull();
    nowMs = 2999;
    expect(cache.find("all")).toMatchObject({ text: "answer", slot: 7 });
    nowMs = 3000;
    expect(cache.find("all")).toBeNull();
  });

  test("takes a clock that steps back for expiry", () => {
    let nowMs = 1000;
    const cache = new LargestAccountsCache(7200, () => nowMs);
    cache.keep("all", storedJson("answer"), 7);
    nowMs = 999;
    expect(cache.find("all")).toBeNull();
  });

  test("keeps nothing when off", () => {
    const cache = new LargestAccountsCache(0);
    cache.keep("all", storedJson("answer"), 7);
    expect(cache.find("all")).toBeNull();
  });
});
