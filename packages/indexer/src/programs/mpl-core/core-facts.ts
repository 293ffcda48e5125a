// What a Core asset takes from its own plugins and from its collection. Of a plugin type on both, the asset's counts.

import {
  type CoreAccount,
  type CoreAsset,
  type CoreCollection,
  type CoreGroup,
  type CorePluginData,
  type CorePluginKind,
  type PluginArea,
  type PluginAuthority,
  encodeAddress,
} from "@lamplight/codecs";
import type { AddressBytes, Creator, Group } from "@lamplight/core";

type DataOf<Kind extends CorePluginKind> = Extract<CorePluginData, { kind: Kind }>;
type Plugged = Pick<CoreAsset, "plugins">;

/** Groups have no plugins. */
const noPlugins: Omit<PluginArea, "complete"> = {
  plugins: [],
  unknownPlugins: [],
  externalPlugins: [],
  unknownExternalPlugins: [],
};

/** A Core account that is an asset of its own. */
export type OwnAccount = CoreAsset | CoreCollection | (CoreGroup & typeof noPlugins);

/** Null for an account that is no asset. */
export const ownAccountOf = (core: CoreAccount | null): OwnAccount | null => {
  if (core?.kind === "group") return { ...core, ...noPlugins };
  return core?.kind === "asset" || core?.kind === "collection" ? core : null;
};

/** An asset with its collection, where it is in one that is known; or a collection or a group by itself. */
export interface CoreFamily {
  readonly own: OwnAccount;
  readonly collection: CoreCollection | null;
}

/** The plugin of that kind, and who rules it. */
const findPlugin = <Kind extends CorePluginKind>(
  account: Plugged | null,
  kind: Kind,
): { readonly data: DataOf<Kind>; readonly authority: PluginAuthority } | null => {
  const found = account?.plugins.findLast(({ data }) => data.kind === kind);
  return found === undefined ? null : { data: found.data as DataOf<Kind>, authority: found.authority };
};

const inherited = <Kind extends CorePluginKind>(
  { own, collection }: CoreFamily,
  kind: Kind,
): DataOf<Kind> | null => (findPlugin(own, kind) ?? findPlugin(collection, kind))?.data ?? null;

/** Null when there is none, and while the collection it comes from is not known. */
export const authorityOf = ({ own, collection }: CoreFamily): AddressBytes | null => {
  if (own.kind !== "asset") return own.updateAuthority;
  switch (own.updateAuthority.kind) {
    case "address":
      return own.updateAuthority.address;
    case "collection":
      return collection?.updateAuthority ?? null;
    case "none":
      return null;
  }
};

/** A collection and a group are held by their update authority. */
export const ownerOf = ({ own }: CoreFamily): AddressBytes =>
  own.kind === "asset" ? own.assetOwner : own.updateAuthority;

/** Frozen by the owner's delegate, or for good by one set at creation. */
export const isFrozen = (family: CoreFamily): boolean =>
  findPlugin(family.own, "freezeDelegate")?.data.frozen === true ||
  inherited(family, "permanentFreezeDelegate")?.frozen === true;

/** Who may transfer in the owner's stead; the owner itself, where the plugin is left to it. */
export const delegateOf = (family: CoreFamily): AddressBytes | null => {
  const authority = findPlugin(family.own, "transferDelegate")?.authority;
  switch (authority?.kind) {
    case "owner":
      return ownerOf(family);
    case "updateAuthority":
      return authorityOf(family);
    case "address":
      return authority.address;
    default:
      return null;
  }
};

/** Not mutable without an update authority, or when a plugin forbids it. */
export const isMutable = (family: CoreFamily): boolean => {
  const { own } = family;
  if (own.kind === "asset" && own.updateAuthority.kind === "none") return false;
  return inherited(family, "immutableMetadata") === null;
};

/**
 * Its collection, which is the update authority, and the groups that its own Groups plugin names. Both are true by
 * construction: Core asks the authorities of both sides. Members of a collection are not members of its groups.
 */
export const groupsOf = ({ own }: CoreFamily): readonly Group[] => {
  const collection =
    own.kind === "asset" && own.updateAuthority.kind === "collection" ? [own.updateAuthority.collection] : [];
  const named = findPlugin(own, "groups")?.data.groups ?? [];
  return [
    ...collection.map((address) => ({ key: "collection", value: encodeAddress(address), verified: true })),
    ...[...new Set(named.map(encodeAddress))].map((value) => ({ key: "group", value, verified: true })),
  ];
};

export interface Royalty {
  readonly basisPoints: number;
  readonly creators: readonly Creator[];
}

/** Creators count as verified, since the update authority named them, unless a VerifiedCreators plugin says otherwise. */
export const royaltyOf = (family: CoreFamily): Royalty => {
  const royalties = inherited(family, "royalties");
  if (royalties === null) return { basisPoints: 0, creators: [] };
  const signatures = inherited(family, "verifiedCreators")?.signatures ?? [];
  const isRefused = (creator: AddressBytes): boolean =>
    signatures.some(({ address, verified }) => !verified && Buffer.compare(address, creator) === 0);
  return {
    basisPoints: royalties.basisPoints,
    creators: royalties.creators.map(({ address, percentage }) => ({
      address,
      verified: !isRefused(address),
      share: percentage,
    })),
  };
};

/** Kinds of plugins that members take from their collection. */
const inheritedKinds: ReadonlySet<CorePluginKind> = new Set<CorePluginKind>([
  "royalties",
  "verifiedCreators",
  "permanentFreezeDelegate",
  "immutableMetadata",
]);

/** All of a collection that its members show, as comparable text: the counters, which move with every mint, are not in it. */
export const inheritanceText = (collection: CoreCollection): string =>
  JSON.stringify([
    Buffer.from(collection.updateAuthority).toString("base64"),
    collection.plugins
      .filter(({ data }) => inheritedKinds.has(data.kind))
      .map(({ data }) => data)
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
  ]);
