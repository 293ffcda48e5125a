import type { Endpoint } from "@lamplight/sources/endpoint";
import type { Call } from "./compare-call.ts";
import { isMembers } from "./members.ts";

/** Assets that are asked about one by one. */
const ASSETS_MAX = 20;

/** Without a file of requests: every method, about what a server finds among its newest assets and largest accounts. */
export const sampleCalls = async (endpoint: Endpoint): Promise<readonly Call[]> => {
  const newest: Call = {
    method: "searchAssets",
    params: { limit: ASSETS_MAX, sortBy: { sortBy: "updated", sortDirection: "desc" } },
  };
  const items = listOf(await resultOf(endpoint, newest), "items");
  const largest: Call = { method: "getLargestAccounts", params: [] };
  const accounts = listOf(await resultOf(endpoint, largest), "value").map((row) => textAt(row, "address"));
  const ids = items.map((item) => textAt(item, "id"));
  const owners = items.map((item) => textAt(item["ownership"], "owner"));
  return [
    largest,
    newest,
    ...known(ids).flatMap((id) => [
      { method: "getAsset", params: { id } },
      { method: "getAccountInfo", params: [id, { encoding: "base64" }] },
      { method: "getAccountInfo", params: [id, { encoding: "jsonParsed" }] },
      { method: "getTokenSupply", params: [id] },
      { method: "getNftEditions", params: { mint: id, limit: 5 } },
    ]),
    ...known(owners).map((ownerAddress) => ({ method: "searchAssets", params: { ownerAddress, limit: 10 } })),
    ...known(accounts).map((address) => ({
      method: "getAccountInfo",
      params: [address, { encoding: "base64" }],
    })),
  ];
};

export const resultOf = async (endpoint: Endpoint, { method, params }: Call): Promise<unknown> => {
  const { outcome } = await endpoint.call(method, params);
  return outcome.ok ? outcome.result : null;
};

export const listOf = (result: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isMembers(result) ? result[name] : null;
  return Array.isArray(list) ? list.filter(isMembers) : [];
};

export const textAt = (value: unknown, name: string): string =>
  isMembers(value) && typeof value[name] === "string" ? value[name] : "";

export const known = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].filter((text) => text !== "");
