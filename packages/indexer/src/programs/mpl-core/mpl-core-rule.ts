// MPL Core: an asset is one account; members it lacks itself it takes from its collection. Collections and groups are
// assets too.

import { type CoreAccount, decodeCoreAccount, programAddresses, sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  inheritable,
  type Inheritance,
  INHERITED_BASIS_POINTS,
} from "@lamplight/core";
import { type AssetExtensions, type AssetRecord, assetRecord } from "../../record/asset-record.ts";
import {
  type AccountRule,
  type AssetKind,
  type AssetView,
  claim,
  type KnownAccount,
} from "../../rules/rules.ts";
import {
  authorityOf,
  delegateOf,
  groupsOf,
  inheritedFacts,
  isFrozen,
  isMutable,
  type OwnAccount,
  ownAccountOf,
  ownerOf,
  royaltyOf,
} from "./core-facts.ts";
import { shapeExternalPlugins, shapeUnknownExternalPlugins } from "./shape-external-plugins.ts";
import { shapePlugins, shapeUnknownPlugins } from "./shape-plugins.ts";

const decode = (account: Account | null): CoreAccount | null =>
  account !== null && account.lamports > 0n && sameBytes(account.programOwner, programAddresses.mplCore)
    ? decodeCoreAccount(account.data)
    : null;

export const mplCoreRule: AccountRule = {
  name: "mpl-core",
  programs: [programAddresses.mplCore],
  claim: (account) => {
    const core = decode(account);
    const assets = [account.address];
    if (core?.kind === "collection") {
      return claim({ assets, dependants: [{ role: "member", target: account.address }], outlives: true });
    }
    if (core?.kind === "burnt") return isEmptied(account) ? claim({ assets, ...emptiedClaim }) : null;
    if (core?.kind === "group") return claim({ assets, outlives: true });
    if (core?.kind !== "asset") return null;
    if (core.updateAuthority.kind !== "collection") return claim({ assets, outlives: true });
    const { collection } = core.updateAuthority;
    return claim({
      assets,
      links: [{ role: "member", target: collection }],
      others: [collection],
      outlives: true,
    });
  },
  // Members say themselves what they take from it, once it is known to be a collection.
  affectsDependants: (before, after) => isCollection(before) !== isCollection(after),
};

/** Exactly what burning leaves: one zero byte. It keeps neither the kind nor any field of what was burnt. */
const isEmptied = ({ data }: Account): boolean => data.length === 1;
const emptiedClaim = { outlives: true, emptied: true } as const;

const isCollection = (account: Account | null): boolean => decode(account)?.kind === "collection";

export const mplCoreKind: AssetKind = {
  name: "mpl-core",
  derive: (view) => {
    const core = decode(view.self?.claiming ?? null);
    if (view.self === null) return null;
    if (core?.kind === "burnt") return { record: neverSeenAlive(view, view.self), ...noEditions };
    const own = ownAccountOf(core);
    if (own === null) return null;
    return { record: deriveRecord(view, view.self, own), ...noEditions };
  },
};

const noEditions = { editions: [], editionAddresses: [] } as const;

/**
 * The account is gone for good, and nothing else of it is known. It counts as an asset, because most Core accounts are
 * assets.
 */
const neverSeenAlive = ({ id }: AssetView, { current }: KnownAccount): AssetRecord =>
  assetRecord({
    id,
    interface: "MplCoreAsset",
    mutable: false,
    burnt: true,
    supply: 0n,
    updatedSlot: current.slot,
  });

/** Whether a collection of Core is known at that address. */
export const isKnownCollection = (view: AssetView, address: AddressBytes): boolean =>
  isCollection(view.find(address)?.claiming ?? null);

const inheritanceOf = (own: OwnAccount, view: AssetView): Inheritance | null => {
  if (own.kind !== "asset" || own.updateAuthority.kind !== "collection") return null;
  const { collection } = own.updateAuthority;
  return isKnownCollection(view, collection) ? { from: collection, facts: inheritedFacts(own) } : null;
};

const interfaces = {
  asset: "MplCoreAsset",
  collection: "MplCoreCollection",
  group: "MplCoreGroup",
} as const;

const deriveRecord = (view: AssetView, self: KnownAccount, own: OwnAccount): AssetRecord => {
  const inherits = inheritanceOf(own, view);
  const royalty = royaltyOf(own);
  const takesRoyalty = ((inherits?.facts ?? 0) & inheritable.royalty) !== 0;
  const burnt = self.closed && isGone(self.current);
  return assetRecord({
    id: view.id,
    interface: interfaces[own.kind],
    name: own.name.replaceAll("\0", ""),
    jsonUri: own.uri.replaceAll("\0", "").trim(),
    authority: authorityOf(own),
    assetOwner: ownerOf(own),
    delegate: delegateOf(own),
    frozen: isFrozen(own),
    inherits,
    basisPoints: takesRoyalty ? INHERITED_BASIS_POINTS : royalty.basisPoints,
    creators: royalty.creators,
    groups: groupsOf(own),
    mutable: isMutable(own),
    burnt,
    supply: burnt ? 0n : 1n,
    extensions: shapeExtensions(own),
    updatedSlot: self.current.slot,
  });
};

/** Closed or emptied. An account that is there but that we cannot read is not burnt. */
const isGone = (current: Account): boolean => {
  if (current.lamports === 0n || !sameBytes(current.programOwner, programAddresses.mplCore)) return true;
  return decode(current)?.kind === "burnt";
};

const shapeExtensions = (own: OwnAccount): AssetExtensions => ({
  plugins: shapePlugins(own.plugins),
  ...(own.unknownPlugins.length === 0 ? {} : { unknownPlugins: shapeUnknownPlugins(own.unknownPlugins) }),
  coreInfo: {
    ...(own.kind === "collection" ? { num_minted: own.numMinted, current_size: own.currentSize } : {}),
    plugins_json_version: 1,
  },
  externalPlugins: shapeExternalPlugins(own.externalPlugins),
  ...(own.unknownExternalPlugins.length === 0
    ? {}
    : { unknownExternalPlugins: shapeUnknownExternalPlugins(own.unknownExternalPlugins) }),
});
