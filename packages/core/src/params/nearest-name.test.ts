import { describe, expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = ["port", "store", "host", "key", "config"];

describe("nearestName", () => {
  test.each([
    ["prot", "port"],
    ["stroe", "store"],
    ["Stor", "store"],
    ["hosts", "host"],
    ["kye", "key"],
    ["x", undefined],
    ["", undefined],
    ["trop", undefined],
    ["s".repeat(65), undefined],
  ])("of %j is %j", (name, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });

  test("takes the first of equally near names, and none that only begins alike", () => {
    expect(nearestName("getAset", ["getAssets", "getAsset", "searchAssets"])).toBe("getAsset");
    expect(nearestName("abcx", ["abcy", "abcz"])).toBe("abcy");
    expect(nearestName("getAcountInof", ["getAccountInfo"])).toBe("getAccountInfo");
    expect(nearestName("getA", ["getAccountInfo", "getAsset"])).toBeUndefined();
  });

  test("counts a swap at the start, where there is nothing before it", () => {
    expect(nearestName("opr", ["por"])).toBe("por");
    expect(nearestName("ab", ["ba"])).toBeUndefined();
  });
});
