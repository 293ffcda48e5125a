// Facts of a Core account, and those that an asset takes from its collection. If both have a plugin type, the asset's
// counts.

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
import { type AddressBytes, type Creator, type Group, inheritable } from "@lamplight/core";

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

/** The plugin of that kind, and who rules it. */
const findPlugin = <Kind extends CorePluginKind>(
  account: Plugged | null,
  kind: Kind,
): { readonly data: DataOf<Kind>; readonly authority: PluginAuthority } | null => {
  const found = account?.plugins.findLast(({ data }) => data.kind === kind);
  return found === undefined ? null : { data: found.data as DataOf<Kind>, authority: found.authority };
};

/** Null when there is none, and where it is inherited. */
export const authorityOf = (own: OwnAccount): AddressBytes | null => {
  if (own.kind !== "asset") return own.updateAuthority;
  return own.updateAuthority.kind === "address" ? own.updateAuthority.address : null;
};

/** A collection and a group are held by their update authority. */
export const ownerOf = (own: OwnAccount): AddressBytes =>
  own.kind === "asset" ? own.assetOwner : own.updateAuthority;

/** Frozen by the owner's delegate, or for good by one set at creation. */
export const isFrozen = (own: OwnAccount): boolean =>
  findPlugin(own, "freezeDelegate")?.data.frozen === true ||
  findPlugin(own, "permanentFreezeDelegate")?.data.frozen === true;

/**
 * The address that may transfer in the owner's stead. It is the owner itself where the owner is the plugin's authority.
 */
export const delegateOf = (own: OwnAccount): AddressBytes | null => {
  const authority = findPlugin(own, "transferDelegate")?.authority;
  switch (authority?.kind) {
    case "owner":
      return ownerOf(own);
    case "updateAuthority":
      return authorityOf(own);
    case "address":
      return authority.address;
    default:
      return null;
  }
};

/** An account is not mutable without an update authority, or when a plugin forbids it. */
export const isMutable = (own: OwnAccount): boolean => {
  if (own.kind === "asset" && own.updateAuthority.kind === "none") return false;
  return findPlugin(own, "immutableMetadata") === null;
};

/**
 * Its collection, which is the update authority, and the groups that its own Groups plugin names. Both are true by
 * construction: Core asks the authorities of both sides. Members of a collection are not members of its groups.
 */
export const groupsOf = (own: OwnAccount): readonly Group[] => {
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
export const royaltyOf = (own: OwnAccount): Royalty => {
  const royalties = findPlugin(own, "royalties")?.data ?? null;
  if (royalties === null) return { basisPoints: 0, creators: [] };
  const signatures = findPlugin(own, "verifiedCreators")?.data.signatures ?? [];
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

/**
 * The facts that an asset takes from its collection: the authority, and each kind of plugin that it does not have
 * itself. Creators come with the signatures of anyone who names them.
 */
export const inheritedFacts = (own: CoreAsset): number => {
  const lacks = (kind: CorePluginKind): boolean => findPlugin(own, kind) === null;
  const follows = findPlugin(own, "transferDelegate")?.authority.kind === "updateAuthority";
  return (
    inheritable.authority |
    (lacks("royalties") ? inheritable.royalty : 0) |
    (lacks("permanentFreezeDelegate") ? inheritable.frozen : 0) |
    (follows ? inheritable.delegate : 0) |
    (lacks("immutableMetadata") ? inheritable.mutable : 0)
  );
};
