import type { Asset, Ownership, Royalty } from "@lamplight/contract";
import { joinContent } from "../content/content-text.ts";
import { inheritedFacts, isInheriting, isSharing } from "../content/text-facts.ts";
import { inheritable, type StoredAsset } from "../domain/asset.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { editMembers, type MemberName, type MemberTexts, memberTexts } from "../json/member-texts.ts";
import { plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import type { StoredContent } from "../ports/queries.ts";
import { documentMembers } from "./asset-extras.ts";

/** An asset as it is stored, and what it shares with others. */
interface SharedParts {
  readonly own: StoredAsset;
  readonly content: StoredContent | null;
  readonly collection: StoredAsset | null;
}

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

/** The collection that was taken apart last. The next asset is often a member of it, too. */
let last: { readonly document: string; readonly members: SharedMembers } | null = null;

/** Null where there is no such collection. */
export const sharedMembers = (collection: StoredAsset | null): SharedMembers | null => {
  if (collection === null || !isSharing(collection)) return null;
  const { document } = collection;
  if (last?.document !== document) last = { document, members: documentMembers(collection) };
  return last.members;
};

/** An asset with the facts that it inherits. The asset stays unchanged without a known collection. */
export const withCollection = (asset: StoredAsset, shared: SharedMembers | null): StoredAsset => {
  if (shared === null) return asset;
  const facts = inheritedFacts(asset);
  const takes = (fact: number): boolean => (facts & fact) !== 0;
  const taken = <Name extends MemberName<Asset>>(name: Name, fact: number) =>
    takes(fact) ? () => shared.get(name)! : undefined;
  const document = editMembers(storedJson<Asset>(asset.document), {
    authorities: taken("authorities", inheritable.authority),
    ownership: takes(inheritable.frozen | inheritable.delegate)
      ? (own) => ownershipText(own, shared, takes)
      : undefined,
    royalty: takes(inheritable.royalty) ? (own) => royaltyText(own, shared.get("royalty")!) : undefined,
    creators: taken("creators", inheritable.royalty),
    mutable: taken("mutable", inheritable.mutable),
  });
  return { ...asset, document };
};

const ownershipText = (
  own: JsonText<Ownership>,
  shared: SharedMembers,
  takes: (fact: number) => boolean,
): JsonText<Ownership> => {
  const isFrozen =
    takes(inheritable.frozen) && memberTexts(shared.get("ownership")!).get("frozen") === "true";
  const delegate = takes(inheritable.delegate) ? delegateOf(shared) : undefined;
  return editMembers(own, {
    frozen: isFrozen ? () => writeJson<boolean>(true) : undefined,
    delegated: delegate === undefined ? undefined : () => writeJson<boolean>(delegate !== null),
    delegate:
      delegate === undefined
        ? undefined
        : () => (delegate === null ? writeJson<null>(null) : plainText(delegate)),
  });
};

/** Base58. */
const delegateOf = (shared: SharedMembers): string | null => {
  const [authority] = JSON.parse(shared.get("authorities")!) as Asset["authorities"];
  return authority?.address ?? null;
};

const royaltyText = (own: JsonText<Royalty>, shared: JsonText<Royalty>): JsonText<Royalty> => {
  const source = memberTexts(shared);
  return editMembers(own, {
    percent: () => source.get("percent")!,
    basis_points: () => source.get("basis_points")!,
  });
};
