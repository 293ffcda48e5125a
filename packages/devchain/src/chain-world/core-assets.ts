import { type CorePluginData, programAddresses, sameBytes } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { draftOf } from "../draft.ts";
import {
  burntCoreAsset,
  type CorePluginFields,
  type CoreUpdateAuthority,
  encodeCoreAsset,
  encodeCoreCollection,
  encodeCoreGroup,
} from "../encode/mpl-core.ts";
import { type Content, readBasisPoints, readContent, readCreators } from "./content.ts";
import type { Ground } from "./ground.ts";
import type { CoreAdapterFields } from "../encode/core-adapters.ts";
import { isFrozenBy, readAdapters, readPlugins, withPermanentFreeze, withPlugin } from "./core-plugins.ts";
import { invalid, readAddress } from "./input.ts";
import type { CollectionInput, FreezeChoice, MintInput, UpdateInput } from "./mint-input.ts";
import { findAsset, putAsset } from "./registry.ts";

export interface CoreAsset {
  readonly type: "core";
  readonly id: AddressBytes;
  readonly content: Content;
  readonly owner: AddressBytes;
  readonly updateAuthority: CoreUpdateAuthority;
  readonly plugins: readonly CorePluginFields[];
  readonly adapters: readonly CoreAdapterFields[];
  readonly burnt: boolean;
}

export interface CoreCollection {
  readonly type: "core-collection";
  readonly id: AddressBytes;
  readonly content: Content;
  readonly updateAuthority: AddressBytes;
  readonly numMinted: number;
  readonly currentSize: number;
  readonly plugins: readonly CorePluginFields[];
  readonly adapters: readonly CoreAdapterFields[];
}

export interface CoreGroup {
  readonly type: "core-group";
  readonly id: AddressBytes;
  readonly content: Content;
  readonly updateAuthority: AddressBytes;
  readonly members: readonly AddressBytes[];
}

export const mintCore = (ground: Ground, input: MintInput): CoreAsset => {
  const id = ground.newAddress();
  const collection = input.collection === undefined ? null : findCoreCollection(ground, input.collection);
  const authority =
    input.updateAuthority === undefined
      ? (collection?.updateAuthority ?? ground.authority())
      : readAddress(input.updateAuthority, "updateAuthority");
  const owner = input.owner === undefined ? ground.authority() : readAddress(input.owner, "owner");
  const asset: CoreAsset = {
    type: "core",
    id,
    content: readContent(ground, input, { name: "Core asset", symbol: "" }),
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
    writeCollection(ground, { ...collection, numMinted: numMinted + 1, currentSize: currentSize + 1 });
  }
  if (input.group !== undefined) return joinGroup(ground, asset, readAddress(input.group, "group"));
  return writeCore(ground, asset);
};

export const createCoreCollection = (ground: Ground, input: CollectionInput): CoreCollection => {
  const authority =
    input.updateAuthority === undefined
      ? ground.authority()
      : readAddress(input.updateAuthority, "updateAuthority");
  const creators = readCreators(input.creators, authority);
  const royalties = royaltiesOf(readBasisPoints(input.sellerFeeBasisPoints, 500), creators);
  return writeCollection(ground, {
    type: "core-collection",
    id: ground.newAddress(),
    content: readContent(ground, input, { name: "Collection", symbol: "" }),
    updateAuthority: authority,
    numMinted: 0,
    currentSize: 0,
    plugins: withPlugin(readPlugins(input.plugins ?? []), royalties, { kind: "updateAuthority" }, "keep"),
    adapters: readAdapters(input.externalPlugins ?? []),
  });
};

export const createCoreGroup = (ground: Ground, input: CollectionInput): CoreGroup => {
  const group: CoreGroup = {
    type: "core-group",
    id: ground.newAddress(),
    content: readContent(ground, input, { name: "Group", symbol: "" }),
    updateAuthority:
      input.updateAuthority === undefined
        ? ground.authority()
        : readAddress(input.updateAuthority, "updateAuthority"),
    members: [],
  };
  return writeGroup(ground, group);
};

/** For the first compressed asset: a collection takes them only with this plugin. */
export const openForCompressed = (ground: Ground, collection: CoreCollection): void => {
  if (collection.plugins.some(({ data }) => data.kind === "bubblegumV2")) return;
  const plugins = withPlugin(collection.plugins, { kind: "bubblegumV2" }, { kind: "none" });
  writeCollection(ground, { ...collection, plugins });
};

export const transferCore = (ground: Ground, asset: CoreAsset, to: AddressBytes): CoreAsset => {
  // What the owner gave to others ends with the transfer.
  const plugins = asset.plugins.filter(({ data }) => data.kind !== "transferDelegate");
  return writeCore(ground, { ...asset, owner: to, plugins });
};

export const delegateCore = (ground: Ground, asset: CoreAsset, delegate: AddressBytes | null): CoreAsset => {
  const rest = asset.plugins.filter(({ data }) => data.kind !== "transferDelegate");
  const plugins =
    delegate === null
      ? rest
      : withPlugin(rest, { kind: "transferDelegate" }, { kind: "address", address: delegate });
  return writeCore(ground, { ...asset, plugins });
};

export const freezeCore = (
  ground: Ground,
  asset: CoreAsset,
  frozen: boolean,
  by: FreezeChoice["by"],
): CoreAsset =>
  writeCore(ground, {
    ...asset,
    plugins:
      by === "permanentDelegate"
        ? withPermanentFreeze(asset.plugins, frozen)
        : withPlugin(asset.plugins, { kind: "freezeDelegate", frozen }, { kind: "owner" }),
  });

/** Freezes every member that has no PermanentFreezeDelegate of its own. */
export const freezeCollection = (
  ground: Ground,
  collection: CoreCollection,
  frozen: boolean,
): CoreCollection =>
  writeCollection(ground, { ...collection, plugins: withPermanentFreeze(collection.plugins, frozen) });

/** By its own plugins, or by its collection's. */
export const isCoreFrozen = (ground: Ground, { plugins, updateAuthority }: CoreAsset): boolean => {
  if (isFrozenBy(plugins, "freezeDelegate") || isFrozenBy(plugins, "permanentFreezeDelegate")) return true;
  const hasOwn = plugins.some(({ data }) => data.kind === "permanentFreezeDelegate");
  if (hasOwn || updateAuthority.kind !== "collection") return false;
  const collection = findAsset(ground.journal, updateAuthority.address);
  return collection?.type === "core-collection" && isFrozenBy(collection.plugins, "permanentFreezeDelegate");
};

export const verifyCoreCreator = (
  ground: Ground,
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
  return writeCore(ground, {
    ...asset,
    plugins: withPlugin(asset.plugins, data, { kind: "updateAuthority" }),
  });
};

export const setCoreCollection = (
  ground: Ground,
  asset: CoreAsset,
  collection: CoreCollection | null,
): CoreAsset => {
  leaveCollection(ground, asset);
  if (collection === null) {
    return writeCore(ground, { ...asset, updateAuthority: { kind: "address", address: ground.authority() } });
  }
  const joined = findAsset(ground.journal, collection.id) as CoreCollection;
  writeCollection(ground, { ...joined, currentSize: joined.currentSize + 1 });
  return writeCore(ground, { ...asset, updateAuthority: { kind: "collection", address: collection.id } });
};

export const updateCore = (ground: Ground, asset: CoreAsset, input: UpdateInput): CoreAsset => {
  const content = readContent(ground, input, asset.content, asset.content);
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
        : readCreators(input.creators, ground.authority());
    plugins = withPlugin(plugins, royaltiesOf(points, creators), { kind: "updateAuthority" });
  }
  if (input.mutable === false) plugins = withPlugin(plugins, { kind: "immutableMetadata" }, { kind: "none" });
  return writeCore(ground, { ...asset, content, plugins, updateAuthority });
};

export const burnCore = (ground: Ground, asset: CoreAsset): CoreAsset => {
  leaveCollection(ground, asset);
  ground.write(draftOf(asset.id, programAddresses.mplCore, burntCoreAsset));
  return putAsset(ground.journal, { ...asset, burnt: true });
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const findCoreCollection = (
  ground: Ground,
  given: Parameters<typeof readAddress>[0],
): CoreCollection => {
  const found = findAsset(ground.journal, readAddress(given, "collection"));
  if (found?.type === "core-collection") return found;
  throw invalid("collection", 'must be a collection of kind "core" on this chain');
};

const leaveCollection = (ground: Ground, { updateAuthority }: CoreAsset): void => {
  if (updateAuthority.kind !== "collection") return;
  const left = findAsset(ground.journal, updateAuthority.address);
  if (left?.type === "core-collection")
    writeCollection(ground, { ...left, currentSize: left.currentSize - 1 });
};

const joinGroup = (ground: Ground, asset: CoreAsset, id: AddressBytes): CoreAsset => {
  const group = findAsset(ground.journal, id);
  if (group?.type !== "core-group") throw invalid("group", 'must be a collection of kind "core-group"');
  writeGroup(ground, { ...group, members: [...group.members, asset.id] });
  const data: CorePluginData = { kind: "groups", groups: [id] };
  return writeCore(ground, {
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

const writeCore = (ground: Ground, asset: CoreAsset): CoreAsset => {
  const { owner: assetOwner, updateAuthority, plugins, adapters, content } = asset;
  const data = encodeCoreAsset({ assetOwner, updateAuthority, plugins, adapters, ...content });
  ground.write(draftOf(asset.id, programAddresses.mplCore, data));
  return putAsset(ground.journal, asset);
};

const writeCollection = (ground: Ground, collection: CoreCollection): CoreCollection => {
  const data = encodeCoreCollection({ ...collection, ...collection.content });
  ground.write(draftOf(collection.id, programAddresses.mplCore, data));
  return putAsset(ground.journal, collection);
};

const writeGroup = (ground: Ground, group: CoreGroup): CoreGroup => {
  const { name, uri } = group.content;
  const data = encodeCoreGroup(group.updateAuthority, name, uri, group.members);
  ground.write(draftOf(group.id, programAddresses.mplCore, data));
  return putAsset(ground.journal, group);
};
