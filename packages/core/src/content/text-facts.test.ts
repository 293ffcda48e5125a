import { decodeAddress } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { inheritable } from "../domain/asset.ts";
import { inheritanceText, inheritedFacts, inheritsFrom, isInheriting } from "./text-facts.ts";

const collection = "J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w";
const facts = inheritable.royalty | inheritable.mutable;

test("what an asset inherits is read where it was written", () => {
  const text = inheritanceText({ from: decodeAddress(collection), facts });
  for (const rest of ["", ',"grouping":[]']) {
    const extras = `{"inherits":${text}${rest}}`;
    expect(isInheriting({ extras })).toBe(true);
    expect(inheritsFrom({ extras })).toBe(collection);
    expect(inheritedFacts({ extras })).toBe(facts);
  }
});

test.each([null, "{}", '{"grouping":[{"inherits":{"from":"x"}}]}'])("extras %s inherit nothing", (extras) => {
  expect(isInheriting({ extras })).toBe(false);
  expect(inheritsFrom({ extras })).toBeNull();
  expect(inheritedFacts({ extras })).toBe(0);
});
