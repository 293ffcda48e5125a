import { describe, expect, test } from "vitest";
import { toWireParams } from "./wire-params.ts";

describe("toWireParams", () => {
  test("fills unused positions with null and leaves trailing ones out", () => {
    expect(toWireParams("searchAssets", [undefined, "any", null, "owner", undefined, null])).toEqual([
      null,
      "any",
      null,
      "owner",
    ]);
  });

  test("sends no positions as an empty array", () => {
    expect(toWireParams("getLargestAccounts", [])).toEqual([]);
    expect(toWireParams("getLargestAccounts", [undefined])).toEqual([]);
  });

  test("takes a single object for names", () => {
    expect(toWireParams("getAsset", [{ id: "x" }])).toEqual({ id: "x" });
  });

  test("lets the server judge a name that is not known", () => {
    expect(toWireParams("getAsset", [{ idd: "x" }])).toEqual({ idd: "x" });
  });

  test("distinguishes the config of getLargestAccounts from an object of names", () => {
    expect(toWireParams("getLargestAccounts", [{ filter: "circulating" }])).toEqual([
      { filter: "circulating" },
    ]);
    expect(toWireParams("getLargestAccounts", [{ config: { filter: "circulating" } }])).toEqual({
      config: { filter: "circulating" },
    });
    expect(toWireParams("getLargestAccounts", [{}])).toEqual([{}]);
  });
});
