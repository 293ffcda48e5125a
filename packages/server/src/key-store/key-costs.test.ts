import { readFileSync } from "node:fs";

import { methodTable } from "@lamplight/core";
import { dasMethods } from "@lamplight/das";
import { expect, test } from "vitest";

import { defaultCosts, meteredMethods, meteredNames } from "./key-costs.ts";

test("the methods of both contracts are counted by name, each once", () => {
  const served = new Set([...Object.keys(methodTable), ...dasMethods.names, "rpc.discover"]);
  expect([...meteredMethods].toSorted()).toEqual([...served].toSorted());
});

const schemaFile = new URL("../../lamplight.config.schema.json", import.meta.url);

test("each name has a cost, which the configuration may change", () => {
  const { definitions } = JSON.parse(readFileSync(schemaFile, "utf8")) as {
    definitions: { KeyCostsConfig: { properties: object } };
  };
  const names = [...meteredNames].toSorted();
  expect(Object.keys(defaultCosts).toSorted()).toEqual(names);
  expect(Object.keys(definitions.KeyCostsConfig.properties).toSorted()).toEqual(names);
});
