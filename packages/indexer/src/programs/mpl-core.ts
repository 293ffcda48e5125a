// MPL Core: an asset is one account; what it does not say itself it takes from its collection.

import {
  type CoreAccount,
  type CoreAsset,
  type CoreCollection,
  decodeCoreAccount,
  encodeAddress,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { Account, JsonValue } from "@lamplight/core";
import { type AssetRecord, assetRecord } from "../record/asset-record.ts";
import {
  type AccountRule,
  type AssetKind,
  type AssetView,
  claim,
  type KnownAccount,
} from "../rules/rules.ts";
import {
  authorityOf,
  type CoreFamily,
  delegateOf,
  inheritanceText,
  isFrozen,
  isMutable,
  ownerOf,
  royaltyOf,
} from "./mpl-core/core-facts.ts";
import { shapeExternalPlugins, shapeUnknownExternalPlugins } from "./mpl-core/shape-external-plugins.ts";
import { shapePlugins, shapeUnknownPlugins } from "./mpl-core/shape-plugins.ts";

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
  affectsDependants: (before, after) => inheritanceOf(before) !== inheritanceOf(after),
};

const inheritanceOf = (account: Account | null): string | null => {
  const core = decode(account);
  return core?.kind === "collection" ? inheritanceText(core) : null;
};

export const mplCoreKind: AssetKind = {
  name: "mpl-core",
  derive: (view) => {
    const core = decode(view.self?.speaking ?? null);
    if (view.self === null || (core?.kind !== "asset" && core?.kind !== "collection")) return null;
    const family = { own: core, collection: findCollection(core, view) };
    return { record: deriveRecord(view, view.self, family), editions: [], editionAddresses: [] };
  },
};

const findCollection = (core: CoreAsset | CoreCollection, view: AssetView): CoreCollection | null => {
  if (core.kind !== "asset" || core.updateAuthority.kind !== "collection") return null;
  const collection = decode(view.find(core.updateAuthority.collection)?.speaking ?? null);
  return collection?.kind === "collection" ? collection : null;
};

const deriveRecord = (view: AssetView, self: KnownAccount, family: CoreFamily): AssetRecord => {
  const { own } = family;
  const burnt = self.closed && isGone(self.current);
  return assetRecord({
    id: view.id,
    interface: own.kind === "asset" ? "MplCoreAsset" : "MplCoreCollection",
    name: own.name.replaceAll("\0", ""),
    jsonUri: own.uri.replaceAll("\0", "").trim(),
    authority: authorityOf(family),
    assetOwner: ownerOf(family),
    delegate: delegateOf(family),
    frozen: isFrozen(family),
    ...royaltyOf(family),
    groups: groupsOf(own),
    mutable: isMutable(family),
    burnt,
    supply: burnt ? 0n : 1n,
    extensions: shapeExtensions(own),
    updatedSlot: self.current.slot,
  });
};

/** Closed, or a husk. An account that is there but says what we cannot read is not burnt. */
const isGone = (current: Account): boolean => {
  if (current.lamports === 0n || !sameBytes(current.programOwner, programAddresses.mplCore)) return true;
  return decode(current)?.kind === "burnt";
};

/** Membership is the update authority, and true by construction. */
const groupsOf = (own: CoreAsset | CoreCollection): AssetRecord["groups"] =>
  own.kind === "asset" && own.updateAuthority.kind === "collection"
    ? [{ key: "collection", value: encodeAddress(own.updateAuthority.collection), verified: true }]
    : [];

const shapeExtensions = (own: CoreAsset | CoreCollection): Record<string, JsonValue> => ({
  plugins: shapePlugins(own.plugins),
  ...(own.unknownPlugins.length === 0 ? {} : { unknown_plugins: shapeUnknownPlugins(own.unknownPlugins) }),
  mpl_core_info: {
    ...(own.kind === "collection" ? { num_minted: own.numMinted, current_size: own.currentSize } : {}),
    plugins_json_version: 1,
  },
  external_plugins: shapeExternalPlugins(own.externalPlugins),
  ...(own.unknownExternalPlugins.length === 0
    ? {}
    : { unknown_external_plugins: shapeUnknownExternalPlugins(own.unknownExternalPlugins) }),
});
