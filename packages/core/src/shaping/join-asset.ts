import { decodeAddress } from "@lamplight/codecs";
import { joinContent, jsonUriOf } from "../content/content-text.ts";
import type { MaybePromise } from "../domain/address.ts";
import { inheritable, type StoredAsset } from "../domain/asset.ts";
import { sharingInterface } from "../domain/inherited-form.ts";
import { memberTexts, objectText } from "../json/member-texts.ts";
import type { AssetReader } from "../ports/asset-reader.ts";
import { whenReady } from "../ports/when-ready.ts";

/** The finished document of an asset: its own, with what it takes from the records that it shares with others. */
export const joinAsset = (asset: StoredAsset, assets: AssetReader): MaybePromise<StoredAsset> => {
  const from = inheritsFrom(asset);
  if (from === null) return joinDocument(asset, assets);
  return whenReady(joinDocument(asset, assets), (joined) =>
    whenReady(assets.findAsset(decodeAddress(from)), (collection) =>
      withCollection(joined, sharedMembers(collection)),
    ),
  );
};

const joinDocument = (asset: StoredAsset, assets: AssetReader): MaybePromise<StoredAsset> => {
  const uri = jsonUriOf(asset.document);
  if (uri === "") return asset;
  return whenReady(assets.readContents([uri]), ([content]) => withContent(asset, content?.parts ?? null));
};

/** @param parts - what the off-chain document adds; null where there is none */
export const withContent = (asset: StoredAsset, parts: string | null): StoredAsset =>
  parts === null ? asset : { ...asset, document: joinContent(asset.document, parts) };

const inheritsStart = '{"inherits":{"from":"';

/** The collection that an asset takes facts from, base58; null = none. */
export const inheritsFrom = ({ extras }: Pick<StoredAsset, "extras">): string | null => {
  if (extras === null || !extras.startsWith(inheritsStart)) return null;
  return extras.slice(inheritsStart.length, extras.indexOf('"', inheritsStart.length));
};

/** What members take from a collection, as the texts of its document. */
export type SharedMembers = ReadonlyMap<string, string>;

/** Null where there is no such collection. */
export const sharedMembers = (collection: StoredAsset | null): SharedMembers | null =>
  collection?.document.startsWith(`{"interface":"${sharingInterface}"`) === true
    ? memberTexts(collection.document)
    : null;

/** An asset with the facts that it inherits. Without a known collection it stays unchanged. */
export const withCollection = (asset: StoredAsset, shared: SharedMembers | null): StoredAsset => {
  if (shared === null) return asset;
  const { facts } = JSON.parse(memberTexts(asset.extras!).get("inherits")!) as { readonly facts: number };
  const takes = (fact: number): boolean => (facts & fact) !== 0;
  const members = memberTexts(asset.document);
  const take = (name: string): void => void members.set(name, shared.get(name)!);
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

const ownershipText = (own: string, shared: SharedMembers, takes: (fact: number) => boolean): string => {
  const members = memberTexts(own);
  const frozen = memberTexts(shared.get("ownership")!).get("frozen");
  if (takes(inheritable.frozen) && frozen === "true") members.set("frozen", "true");
  if (takes(inheritable.delegate)) {
    const [authority] = JSON.parse(shared.get("authorities")!) as readonly { readonly address: string }[];
    members.set("delegated", String(authority !== undefined));
    members.set("delegate", authority === undefined ? "null" : `"${authority.address}"`);
  }
  return objectText(members);
};

const royaltyText = (own: string, shared: string): string => {
  const members = memberTexts(own);
  const source = memberTexts(shared);
  for (const name of ["percent", "basis_points"]) members.set(name, source.get(name)!);
  return objectText(members);
};
