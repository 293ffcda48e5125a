import * as contract from "@lamplight/contract";
import { isLamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";
import { rulesOf } from "./parameter-rules.ts";
import { parseParams } from "./parse-params.ts";

const address = "So11111111111111111111111111111111111111112";

const messageOf = (method: contract.MethodName, params: unknown): string => {
  try {
    parseParams(rulesOf(contract, method), params, "spec");
  } catch (error) {
    if (isLamplightError(error)) return error.message;
    throw error;
  }
  return "accepted";
};

const asObject = "pass the object itself as params, without the array around it";
const oneForm = "give either positions or names: put all parameters into one object, and pass that as params";
const pair = 'write ["collection", "<address>"]';

test.each([
  ["getAsset", [{ id: address }], asObject],
  ["searchAssets", [{ ownerAddress: address, limit: 10 }], asObject],
  ["getTokenSupply", [{ mint: address }], asObject],
  ["getLargestAccounts", [{ config: { filter: "circulating" } }], asObject],
  ["getNftEditions", [address, { limit: 5 }], oneForm],
  ["getAsset", [address, { options: {} }], oneForm],
  ["getAsset", [[address]], "give the text itself, without brackets"],
  ["getAccountInfo", [address, "base64"], 'write {"encoding":"base64"}'],
  ["getAccountInfo", [address, "confirmed"], 'write {"commitment":"confirmed"}'],
  ["getLargestAccounts", ["circulating"], 'write {"filter":"circulating"}'],
  ["getTokenAccountsByDelegate", [address, address], `write {"mint":"${address}"}`],
  ["searchAssets", { options: { limit: 5 } }, "limit is a parameter by itself: give it next to options"],
  [
    "searchAssets",
    { sortBy: { owner: address } },
    "ownerAddress is a parameter by itself: give it next to sortBy",
  ],
  ["getAsset", { id: { id: address } }, "give the value of id itself, without an object around it"],
  ["searchAssets", { sortBy: "created" }, 'write {"sortBy":"created"}'],
  ["searchAssets", { grouping: address }, pair],
  ["searchAssets", { grouping: { collection: address } }, pair],
] as const)("%s %j is answered with the form that was meant", (method, params, hint) => {
  expect(messageOf(method, params)).toMatch(/^Invalid params: /);
  expect(messageOf(method, params).endsWith(`; ${hint}`)).toBe(true);
});

test.each([
  ["searchAssets", { groupKey: "collection" }, "grouping"],
  ["searchAssets", { collection: address }, "grouping"],
  ["searchAssets", { owner: address }, "ownerAddress"],
  ["searchAssets", { creator: address }, "creatorAddress"],
  ["getAccountInfo", { pubkey: address }, "address"],
  ["getTokenSupply", { mint: address }, "pubKey"],
] as const)("%s %j is answered with our name of a parameter of other servers", (method, params, name) => {
  expect(messageOf(method, params)).toContain(`did you mean ${name}?`);
});

test.each([
  ["getLargestAccounts", [{ filtr: "circulating" }]],
  ["getAsset", [address, { limit: 5 }]],
  ["getAsset", [5]],
  ["getAccountInfo", [address, "x".repeat(1000)]],
] as const)("%s %j suggests no other form", (method, params) => {
  expect(messageOf(method, params)).not.toMatch(/; (?:write|give|pass) /);
});
