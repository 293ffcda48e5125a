import type { Asset } from "./types.ts";
import { storedJson } from "../../../core/src/json/json-text.ts";
import { type MemberTexts, memberTexts } from "../../../core/src/json/member-texts.ts";
import type { StoredAsset } from "../../../core/src/domain/asset.ts";

/** The members of the extras of a stored asset: what is joined, and members of its document that only flags show. */
export interface AssetExtras extends Pick<Asset, "inscription" | "token_info"> {
  /** First where it is there: `inheritsFrom` looks for it at the start. */
  inherits?: InheritedFacts;
  /** All groups with `verified`, where any is unverified. */
  grouping?: Asset["grouping"];
}

export interface InheritedFacts {
  /** Base58. */
  from: string;
  facts: number;
}

export const extrasOf = ({ extras }: Pick<StoredAsset, "extras">): MemberTexts<AssetExtras> =>
  memberTexts(storedJson<AssetExtras>(extras ?? "{}"));

export const documentMembers = ({ document }: Pick<StoredAsset, "document">): MemberTexts<Asset> =>
  memberTexts(storedJson<Asset>(document));
