import type { Endpoint } from "@lamplight/sources/endpoint";
import type { Call } from "./compare-call.ts";
import { isMembers } from "./members.ts";
import { known, listOf, resultOf, textAt } from "./sample-calls.ts";

/** Assets that are asked about one by one. */
const ASSETS_MAX = 20;

const LIMIT = 10;

/** Without a file of requests: every DAS method, about what a server finds among its newest assets. */
export const sampleDasCalls = async (endpoint: Endpoint): Promise<readonly Call[]> => {
  const newest: Call = {
    method: "searchAssets",
    params: { limit: ASSETS_MAX, page: 1, sortBy: { sortBy: "updated", sortDirection: "desc" } },
  };
  const items = listOf(await resultOf(endpoint, newest), "items");
  const ids = known(items.map((item) => textAt(item, "id")));
  const firstOf = (member: string, name: string): readonly string[] =>
    known(items.map((item) => textAt(listOf(item, member)[0], name)));
  const owners = known(items.map((item) => textAt(item["ownership"], "owner")));
  const groups = known(
    items
      .flatMap((item) => listOf(item, "grouping"))
      .filter((group) => group["group_key"] === "collection")
      .map((group) => textAt(group, "group_value")),
  );
  const compressed = items.filter(
    ({ burnt, compression }) =>
      burnt !== true && isMembers(compression) && compression["compressed"] === true,
  );
  return [
    newest,
    ...(ids.length === 0 ? [] : [{ method: "getAssetBatch", params: { ids } }]),
    ...ids.map((id) => ({ method: "getAsset", params: { id } })),
    ...list("getAssetsByOwner", "ownerAddress", owners),
    ...list("getTokenAccounts", "owner", owners),
    ...list("getTokenAccounts", "mint", ids),
    ...list("getAssetsByCreator", "creatorAddress", firstOf("creators", "address")),
    ...list("getAssetsByAuthority", "authorityAddress", firstOf("authorities", "address")),
    ...list("getAssetsByGroup", "groupValue", groups).map(({ method, params }) => ({
      method,
      params: { groupKey: "collection", ...(params as object) },
    })),
    ...groups.map((groupValue) => ({
      method: "getGrouping",
      params: { groupKey: "collection", groupValue },
    })),
    ...known(compressed.map((item) => textAt(item, "id"))).map((id) => ({
      method: "getAssetProof",
      params: { id },
    })),
    ...ids.map((mint) => ({ method: "getNftEditions", params: { mint, limit: LIMIT, page: 1 } })),
  ];
};

/** A call for each address. */
const list = (method: string, name: string, addresses: readonly string[]): readonly Call[] =>
  addresses.map((address) => ({ method, params: { [name]: address, limit: LIMIT, page: 1 } }));
