import type { Asset, Ownership, Royalty } from "@lamplight/contract";
import { joinContent } from "../content/content-text.ts";
import { inheritedFacts, isInheriting, isSharing } from "../content/text-facts.ts";
import { inheritable, type StoredAsset } from "../domain/asset.ts";
import type { JsonText } from "../json/json-text.ts";
import { type MemberName, type MemberTexts, memberTexts, objectText } from "../json/member-texts.ts";
import { plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import type { WholeAsset } from "../ports/reads.ts";
import { documentMembers } from "./asset-extras.ts";

/** An asset as it is stored, and what it shares with others. */
type SharedParts = Pick<WholeAsset, "content" | "collection"> & { readonly own: StoredAsset };

/** The finished document of an asset: its own, with what it takes from the records that it shares with others. */
export const joinAsset = ({ own, content, collection }: SharedParts): StoredAsset => {
  const joined = withContent(own, content?.parts ?? null);
  return isInheriting(own) ? withCollection(joined, sharedMembers(collection)) : joined;
};

/** @param parts - what the off-chain document adds; null where there is none */
export const withContent = (asset: StoredAsset, parts: string | null): StoredAsset =>
  parts === null ? asset : { ...asset, document: joinContent(asset.document, parts) };

/** The members that assets take from a collection, as the texts of its document. */
export type SharedMembers = Pick<MemberTexts<Asset>, "get">;

/** Collections that were read for several assets at once: each is taken apart for the first of them. */
const takenApart = new WeakMap<StoredAsset, SharedMembers>();

/** Null where there is no such collection. */
export const sharedMembers = (collection: StoredAsset | null): SharedMembers | null => {
  if (collection === null || !isSharing(collection)) return null;
  let members = takenApart.get(collection);
  if (members === undefined) takenApart.set(collection, (members = documentMembers(collection)));
  return members;
};

/** An asset with the facts that it inherits. The asset stays unchanged without a known collection. */
export const withCollection = (asset: StoredAsset, shared: SharedMembers | null): StoredAsset => {
  if (shared === null) return asset;
  const facts = inheritedFacts(asset);
  const takes = (fact: number): boolean => (facts & fact) !== 0;
  const members = documentMembers(asset);
  const take = <Name extends MemberName<Asset>>(name: Name): void =>
    void members.set(name, shared.get(name)!);
  if (takes(inheritable.authority)) take("authorities");
  if (takes(inheritable.frozen | inheritable.delegate))
    members.set("ownership", ownershipText(members.get("ownership")!, shared, takes));
  if (takes(inheritable.royalty)) {
    take("creators");
    members.set("royalty", royaltyText(members.get("royalty")!, shared.get("royalty")!));
  }
  if (takes(inheritable.mutable)) take("mutable");
  return { ...asset, document: objectText(members) };
};

const ownershipText = (
  own: JsonText<Ownership>,
  shared: SharedMembers,
  takes: (fact: number) => boolean,
): JsonText<Ownership> => {
  const members = memberTexts(own);
  const frozen = memberTexts(shared.get("ownership")!).get("frozen");
  if (takes(inheritable.frozen) && frozen === "true") members.set("frozen", writeJson<boolean>(true));
  if (takes(inheritable.delegate)) {
    const [authority] = JSON.parse(shared.get("authorities")!) as Asset["authorities"];
    members.set("delegated", writeJson<boolean>(authority !== undefined));
    members.set("delegate", authority === undefined ? writeJson<null>(null) : plainText(authority.address));
  }
  return objectText(members);
};

const royaltyText = (own: JsonText<Royalty>, shared: JsonText<Royalty>): JsonText<Royalty> => {
  const members = memberTexts(own);
  const source = memberTexts(shared);
  for (const name of ["percent", "basis_points"] as const) members.set(name, source.get(name)!);
  return objectText(members);
};
