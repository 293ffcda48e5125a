import { describe, expect, test } from "vitest";
import { readParams } from "./read-params.ts";

const address = "11111111111111111111111111111111";

describe("parameters from a command line", () => {
  test.each<[string, string, unknown]>([
    ["getAsset", address, [address]],
    ["getAccountInfo", `${address} {"encoding":"base64"}`, [address, { encoding: "base64" }]],
    [
      "getAccountInfo",
      `${address} config.encoding=base64 config.minContextSlot=5`,
      { address, config: { encoding: "base64", minContextSlot: 5 } },
    ],
    ["getAccountInfo", "core", ["CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d"]],
    ["getAsset", `{"id":"${address}"}`, { id: address }],
    ["getLargestAccounts", '{"filter":"circulating"}', [{ filter: "circulating" }]],
    ["getLargestAccounts", '{"config":{"filter":"circulating"}}', { config: { filter: "circulating" } }],
    ["getNftEditions", `${address} null 3`, [address, null, 3]],
    ["getNftEditions", `mintAddress=${address} page=2`, { mintAddress: address, page: 2 }],
    [
      "searchAssets",
      "supply=18446744073709551615 burnt=false name=5",
      { supply: 18446744073709551615n, burnt: false, name: "5" },
    ],
    ["searchAssets", 'grouping=["collection","x"]', { grouping: ["collection", "x"] }],
    ["getSlot", '{"commitment":"finalized"}', { commitment: "finalized" }],
    ["getBlock", `5 true ${address} x`, [5, true, address, "x"]],
  ])("%s %s", (method, line, params) => {
    expect(readParams(method, line.split(" "))).toEqual(params);
  });

  test("none are undefined", () => {
    expect(readParams("getLargestAccounts", [])).toBeUndefined();
  });

  test.each([
    [["limit=1", "x"], "positions come before name=value"],
    [["id=x", "id=y"], "id was given twice"],
    [["config=5", "config.a=1"], "config was given another value"],
    [['{"id":'], "begins like JSON and is not"],
  ])("%j is refused", (args, reason) => {
    expect(() => readParams("getAsset", args)).toThrow(reason);
  });
});
