import { describe, expect, test } from "vitest";
import { methodShapes } from "../generated/methods.ts";
import { toWireParams } from "./wire-params.ts";

describe("toWireParams", () => {
  test("fills unused positions with null and leaves trailing ones out", () => {
    expect(
      toWireParams(methodShapes.searchAssets, [undefined, "any", null, "owner", undefined, null]),
    ).toEqual([null, "any", null, "owner"]);
  });

  test("sends no positions as an empty array", () => {
    expect(toWireParams(methodShapes.getLargestAccounts, [])).toEqual([]);
    expect(toWireParams(methodShapes.getLargestAccounts, [undefined])).toEqual([]);
  });

  test("takes a single object for names", () => {
    expect(toWireParams(methodShapes.getAsset, [{ id: "x" }])).toEqual({ id: "x" });
  });

  test("lets the server judge a name that is not known", () => {
    expect(toWireParams(methodShapes.getAsset, [{ idd: "x" }])).toEqual({ idd: "x" });
  });

  test("distinguishes the config of getLargestAccounts from an object of names", () => {
    expect(toWireParams(methodShapes.getLargestAccounts, [{ filter: "circulating" }])).toEqual([
      { filter: "circulating" },
    ]);
    expect(toWireParams(methodShapes.getLargestAccounts, [{ config: { filter: "circulating" } }])).toEqual({
      config: { filter: "circulating" },
    });
    expect(toWireParams(methodShapes.getLargestAccounts, [{}])).toEqual([{}]);
  });
});
