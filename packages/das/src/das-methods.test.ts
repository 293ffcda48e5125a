import { expect, test } from "vitest";

import { dasMethods } from "./das-methods.ts";

test("all methods but getAsset may read many rows, so an overloaded server refuses them first", () => {
  expect(dasMethods.names.filter((name) => !dasMethods.isList(name))).toEqual(["getAsset"]);
});
