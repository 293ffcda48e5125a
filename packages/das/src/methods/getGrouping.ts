import {
  type AddressBytes,
  joinAsset,
  type Method,
  objectWriter,
  parseAssetAddress,
  parseSearchQuery,
  plainText,
  read,
  readSearch,
  type Steps,
  writeJson,
} from "@lamplight/core";
import type { Asset, GetGroupingParams, Grouping } from "../generated/types.ts";

const writeGrouping = objectWriter<Grouping>()("group_key", "group_name", "group_size");

/** Name and size of a group. */
export const getGrouping: Method<GetGroupingParams, Grouping> = {
  readsAt: "assets",
  // The size of a group is the count of a search.
  isList: true,
  *steps({ groupKey, groupValue }, call) {
    const group = parseAssetAddress("groupValue", groupValue);
    const query = parseSearchQuery({ grouping: [groupKey, groupValue], ownerType: "single", limit: 1 });
    const { total } = yield* readSearch(query, call);
    return writeGrouping(plainText(groupKey), writeJson<string>(yield* readName(group)), total);
  },
};

/** The empty string where the group has no asset of its own, or one without a name. */
function* readName(group: AddressBytes): Steps<string> {
  const asset = yield* read.asset(group);
  if (asset === null) return "";
  const { content } = JSON.parse(joinAsset(asset).document) as Asset;
  return typeof content.metadata.name === "string" ? content.metadata.name : "";
}
