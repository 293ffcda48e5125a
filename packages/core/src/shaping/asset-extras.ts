import type { Asset } from "@lamplight/contract";
import type { InheritedFacts } from "../content/text-facts.ts";
import { storedJson } from "../json/json-text.ts";
import { type MemberTexts, memberTexts } from "../json/member-texts.ts";
import type { StoredAsset } from "../domain/asset.ts";

/** The members of the extras of a stored asset: what is joined, and members of its document that only flags show. */
export interface AssetExtras extends Pick<Asset, "inscription" | "token_info"> {
  /** First where it is there (`content/text-facts.ts`). */
  inherits?: InheritedFacts;
  /** All groups with `verified`, where any is unverified. */
  grouping?: Asset["grouping"];
}

export const extrasOf = ({ extras }: Pick<StoredAsset, "extras">): MemberTexts<AssetExtras> =>
  memberTexts(storedJson<AssetExtras>(extras ?? "{}"));

export const documentMembers = ({ document }: Pick<StoredAsset, "document">): MemberTexts<Asset> =>
  memberTexts(storedJson<Asset>(document));
