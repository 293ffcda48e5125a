import { type CorePluginData, programAddresses, sameBytes } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { draftOf } from "../draft.ts";
import {
  burntCoreAsset,
  type CorePluginFields,
  encodeCoreAsset,
  encodeCoreCollection,
  encodeCoreGroup,
} from "../encode/mpl-core.ts";
import { readBasisPoints, readContent, readCreators } from "./content.ts";
import type { WorldContext } from "./world-context.ts";
import { isFrozenBy, readAdapters, readPlugins, withPermanentFreeze, withPlugin } from "./core-plugins.ts";
import { invalid, readAddress } from "../input.ts";
import type { CollectionInput, FreezeChoice, MintInput, UpdateInput } from "./mint-input.ts";
import { findAsset, putAsset } from "./registry.ts";
import type { CoreAsset, CoreCollection, CoreGroup } from "./minted.ts";

export const mintCore = (context: WorldContext, input: MintInput): CoreAsset => {
  const id = context.newAddress();
  const collection = input.collection === undefined ? null : findCoreCollection(context, input.collection);
  const authority =
    input.updateAuthority === undefined
      ? (collection?.updateAuthority ?? context.authority())
      : readAddress(input.updateAuthority, "updateAuthority");
  const owner = input.owner === undefined ? context.authority() : readAddress(input.owner, "owner");
  const asset: CoreAsset = {
    type: "core",
    id,
    content: readContent(context, input, { name: "Core asset", symbol: "" }),
    owner,
    updateAuthority:
      collection === null
        ? { kind: "address", address: authority }
        : { kind: "collection", address: collection.id },
    plugins: pluginsOf(input, authority, collection),
    adapters: readAdapters(input.externalPlugins ?? []),
    burnt: false,
  };
  if (collection !== null) {
    const { numMinted, currentSize } = collection;
    writeCollection(context, { ...collection, numMinted: numMinted + 1, currentSize: currentSize + 1 });
  }
  if (input.group !== undefined) return joinGroup(context, asset, readAddress(input.group, "group"));
  return writeCore(context, asset);
};

export const createCoreCollection = (context: WorldContext, input: CollectionInput): CoreCollection => {
  const authority =
    input.updateAuthority === undefined
      ? context.authority()
      : readAddress(input.updateAuthority, "updateAuthority");
  const creators = readCreators(input.creators, authority);
  const royalties = royaltiesOf(readBasisPoints(input.sellerFeeBasisPoints, 500), creators);
  return writeCollection(context, {
    type: "core-collection",
    id: context.newAddress(),
    content: readContent(context, input, { name: "Collection", symbol: "" }),
    updateAuthority: authority,
    numMinted: 0,
    currentSize: 0,
    plugins: withPlugin(readPlugins(input.plugins ?? []), royalties, { kind: "updateAuthority" }, "keep"),
    adapters: readAdapters(input.externalPlugins ?? []),
  });
};

export const createCoreGroup = (context: WorldContext, input: CollectionInput): CoreGroup => {
  const group: CoreGroup = {
    type: "core-group",
    id: context.newAddress(),
    content: readContent(context, input, { name: "Group", symbol: "" }),
    updateAuthority:
      input.updateAuthority === undefined
        ? context.authority()
        : readAddress(input.updateAuthority, "updateAuthority"),
    members: [],
  };
  return writeGroup(context, group);
};

/** For the first compressed asset: a collection takes them only with this plugin. */
export const openForCompressed = (context: WorldContext, collection: CoreCollection): void => {
  if (collection.plugins.some(({ data }) => data.kind === "bubblegumV2")) return;
  const plugins = withPlugin(collection.plugins, { kind: "bubblegumV2" }, { kind: "none" });
  writeCollection(context, { ...collection, plugins });
};

export const transferCore = (context: WorldContext, asset: CoreAsset, to: AddressBytes): CoreAsset => {
  // The transfer removes the transfer delegate of the old owner.
  const plugins = asset.plugins.filter(({ data }) => data.kind !== "transferDelegate");
  return writeCore(context, { ...asset, owner: to, plugins });
};

export const delegateCore = (
  context: WorldContext,
  asset: CoreAsset,
  delegate: AddressBytes | null,
): CoreAsset => {
  const rest = asset.plugins.filter(({ data }) => data.kind !== "transferDelegate");
  const plugins =
    delegate === null
      ? rest
      : withPlugin(rest, { kind: "transferDelegate" }, { kind: "address", address: delegate });
  return writeCore(context, { ...asset, plugins });
};

export const freezeCore = (
  context: WorldContext,
  asset: CoreAsset,
  frozen: boolean,
  by: FreezeChoice["by"],
): CoreAsset =>
  writeCore(context, {
    ...asset,
    plugins:
      by === "permanentDelegate"
        ? withPermanentFreeze(asset.plugins, frozen)
        : withPlugin(asset.plugins, { kind: "freezeDelegate", frozen }, { kind: "owner" }),
  });

/** Freezes every member that has no PermanentFreezeDelegate of its own. */
export const freezeCollection = (
  context: WorldContext,
  collection: CoreCollection,
  frozen: boolean,
): CoreCollection =>
  writeCollection(context, { ...collection, plugins: withPermanentFreeze(collection.plugins, frozen) });

/** By its own plugins, or by its collection's. */
export const isCoreFrozen = (context: WorldContext, { plugins, updateAuthority }: CoreAsset): boolean => {
  if (isFrozenBy(plugins, "freezeDelegate") || isFrozenBy(plugins, "permanentFreezeDelegate")) return true;
  const hasOwn = plugins.some(({ data }) => data.kind === "permanentFreezeDelegate");
  if (hasOwn || updateAuthority.kind !== "collection") return false;
  const collection = findAsset(context.journal, updateAuthority.address);
  return collection?.type === "core-collection" && isFrozenBy(collection.plugins, "permanentFreezeDelegate");
};

export const verifyCoreCreator = (
  context: WorldContext,
  asset: CoreAsset,
  creator: AddressBytes,
  verified: boolean,
): CoreAsset => {
  const known = asset.plugins.find(({ data }) => data.kind === "verifiedCreators")?.data;
  const others = known?.kind === "verifiedCreators" ? known.signatures : [];
  const signatures = [
    ...others.filter(({ address }) => !sameBytes(address, creator)),
    { address: creator, verified },
  ];
  const data: CorePluginData = { kind: "verifiedCreators", signatures };
  return writeCore(context, {
    ...asset,
    plugins: withPlugin(asset.plugins, data, { kind: "updateAuthority" }),
  });
};

export const setCoreCollection = (
  context: WorldContext,
  asset: CoreAsset,
  collection: CoreCollection | null,
): CoreAsset => {
  leaveCollection(context, asset);
  if (collection === null) {
    return writeCore(context, {
      ...asset,
      updateAuthority: { kind: "address", address: context.authority() },
    });
  }
  const joined = findAsset(context.journal, collection.id) as CoreCollection;
  writeCollection(context, { ...joined, currentSize: joined.currentSize + 1 });
  return writeCore(context, { ...asset, updateAuthority: { kind: "collection", address: collection.id } });
};

export const updateCore = (context: WorldContext, asset: CoreAsset, input: UpdateInput): CoreAsset => {
  const content = readContent(context, input, asset.content, asset.content);
  let { plugins, updateAuthority } = asset;
  if (input.updateAuthority !== undefined) {
    const address = readAddress(input.updateAuthority, "updateAuthority");
    if (updateAuthority.kind === "collection") throw invalid("updateAuthority", "is that of the collection");
    updateAuthority = { kind: "address", address };
  }
  if (input.creators !== undefined || input.sellerFeeBasisPoints !== undefined) {
    const before = plugins.find(({ data }) => data.kind === "royalties")?.data;
    const known = before?.kind === "royalties" ? before : null;
    const points = readBasisPoints(input.sellerFeeBasisPoints, known?.basisPoints ?? 0);
    const creators =
      input.creators === undefined
        ? (known?.creators.map(({ address, percentage: share }) => ({ address, share, verified: true })) ??
          [])
        : readCreators(input.creators, context.authority());
    plugins = withPlugin(plugins, royaltiesOf(points, creators), { kind: "updateAuthority" });
  }
  if (input.mutable === false) plugins = withPlugin(plugins, { kind: "immutableMetadata" }, { kind: "none" });
  return writeCore(context, { ...asset, content, plugins, updateAuthority });
};

export const burnCore = (context: WorldContext, asset: CoreAsset): CoreAsset => {
  leaveCollection(context, asset);
  context.write(draftOf(asset.id, programAddresses.mplCore, burntCoreAsset));
  return putAsset(context.journal, { ...asset, burnt: true });
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const findCoreCollection = (
  context: WorldContext,
  given: Parameters<typeof readAddress>[0],
): CoreCollection => {
  const found = findAsset(context.journal, readAddress(given, "collection"));
  if (found?.type === "core-collection") return found;
  throw invalid("collection", 'must be a collection of kind "core" on this chain');
};

const leaveCollection = (context: WorldContext, { updateAuthority }: CoreAsset): void => {
  if (updateAuthority.kind !== "collection") return;
  const left = findAsset(context.journal, updateAuthority.address);
  if (left?.type === "core-collection")
    writeCollection(context, { ...left, currentSize: left.currentSize - 1 });
};

const joinGroup = (context: WorldContext, asset: CoreAsset, id: AddressBytes): CoreAsset => {
  const group = findAsset(context.journal, id);
  if (group?.type !== "core-group") throw invalid("group", 'must be a collection of kind "core-group"');
  writeGroup(context, { ...group, members: [...group.members, asset.id] });
  const data: CorePluginData = { kind: "groups", groups: [id] };
  return writeCore(context, {
    ...asset,
    plugins: withPlugin(asset.plugins, data, { kind: "updateAuthority" }),
  });
};

const pluginsOf = (
  input: MintInput,
  authority: AddressBytes,
  collection: CoreCollection | null,
): readonly CorePluginFields[] => {
  let plugins = readPlugins(input.plugins ?? []);
  const isOwnRoyalty =
    collection === null || input.creators !== undefined || input.sellerFeeBasisPoints !== undefined;
  if (isOwnRoyalty) {
    const creators = readCreators(input.creators, authority);
    const royalties = royaltiesOf(readBasisPoints(input.sellerFeeBasisPoints, 500), creators);
    plugins = withPlugin(plugins, royalties, { kind: "updateAuthority" }, "keep");
    const unsigned = creators.filter(({ verified }) => !verified).map(({ address }) => address);
    if (unsigned.length > 0) {
      const signatures = unsigned.map((address) => ({ address, verified: false }));
      plugins = withPlugin(plugins, { kind: "verifiedCreators", signatures }, { kind: "updateAuthority" });
    }
  }
  if (input.frozen === true)
    plugins = withPlugin(plugins, { kind: "freezeDelegate", frozen: true }, { kind: "owner" });
  if (input.delegate !== undefined) {
    const address = readAddress(input.delegate, "delegate");
    plugins = withPlugin(plugins, { kind: "transferDelegate" }, { kind: "address", address });
  }
  if (input.mutable === false) plugins = withPlugin(plugins, { kind: "immutableMetadata" }, { kind: "none" });
  return plugins;
};

const royaltiesOf = (
  basisPoints: number,
  creators: readonly { readonly address: AddressBytes; readonly share: number }[],
): CorePluginData => ({
  kind: "royalties",
  basisPoints,
  creators: creators.map(({ address, share }) => ({ address, percentage: share })),
  ruleSet: { kind: "none" },
});

const writeCore = (context: WorldContext, asset: CoreAsset): CoreAsset => {
  const { owner: assetOwner, updateAuthority, plugins, adapters, content } = asset;
  const data = encodeCoreAsset({ assetOwner, updateAuthority, plugins, adapters, ...content });
  context.write(draftOf(asset.id, programAddresses.mplCore, data));
  return putAsset(context.journal, asset);
};

const writeCollection = (context: WorldContext, collection: CoreCollection): CoreCollection => {
  const data = encodeCoreCollection({ ...collection, ...collection.content });
  context.write(draftOf(collection.id, programAddresses.mplCore, data));
  return putAsset(context.journal, collection);
};

const writeGroup = (context: WorldContext, group: CoreGroup): CoreGroup => {
  const { name, uri } = group.content;
  const data = encodeCoreGroup(group.updateAuthority, name, uri, group.members);
  context.write(draftOf(group.id, programAddresses.mplCore, data));
  return putAsset(context.journal, group);
};
