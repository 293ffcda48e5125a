import { encodeAddress, findProgramAddress, leafFlags, programAddresses } from "@lamplight/codecs";
import type { AddressBytes, Transaction } from "@lamplight/core";
import { BubblegumTree, type Held } from "../simulation/bubblegum-tree.ts";
import type { LeafUpdate } from "../simulation/bubblegum-payloads.ts";
import type { TreeAccount } from "../simulation/tree-account.ts";
import { metadataV1, metadataV2 } from "../simulation/leaf-samples.ts";
import { readBasisPoints, readContent, readCreators } from "./content.ts";
import type { CorePluginFields } from "../encode/mpl-core.ts";
import { findCoreCollection, openForCompressed } from "./core-assets.ts";
import { isFrozenBy, withPermanentFreeze } from "./core-plugins.ts";
import type { WorldContext } from "./world-context.ts";
import { invalid, readAddress } from "../input.ts";
import type { FreezeChoice, MintInput, UpdateInput } from "./mint-input.ts";
import { findAsset, putAsset } from "./registry.ts";
import type { LeafAsset } from "./minted.ts";

interface TreeRecord {
  readonly state: TreeAccount;
  readonly config: AddressBytes;
  readonly seq: number;
  readonly leaves: number;
}

const DEPTH_DEFAULT = 14;

const isFull = ({ state, leaves }: TreeRecord): boolean => leaves >= 2 ** state.nodes.depth;

const treeKey = (address: AddressBytes): string => `tree:${encodeAddress(address)}`;

/** Creates a tree for 2^depth leaves. */
export const createTree = (context: WorldContext, depth = DEPTH_DEFAULT): AddressBytes => {
  const address = context.newAddress();
  const config = findProgramAddress([address], programAddresses.bubblegum).address;
  const tree = new BubblegumTree(0, { depth, address, config });
  step(context, tree, () => tree.create());
  return address;
};

export const mintLeaf = (context: WorldContext, input: MintInput): LeafAsset => {
  const isV2 = input.kind === "compressed-v2";
  const tree = chooseTree(context, input);
  const record = context.journal.find<TreeRecord>(treeKey(tree))!;
  const owner = input.owner === undefined ? context.authority() : readAddress(input.owner, "owner");
  const content = readContent(context, input, { name: "Compressed", symbol: "" });
  const metadata = {
    name: content.name,
    symbol: content.symbol,
    uri: content.uri,
    basisPoints: readBasisPoints(input.sellerFeeBasisPoints, 500),
    primarySaleHappened: input.primarySaleHappened ?? false,
    mutable: input.mutable ?? true,
    creators: readCreators(input.creators, context.authority()),
  };
  const collection = input.collection === undefined ? null : collectionOf(context, input, isV2);
  const nonce = record.leaves;
  const isVerified = input.collectionVerified !== false;
  const held = run(context, tree, null, (engine) => {
    if (isV2) {
      const named = collection === null ? null : { address: collection, verified: true };
      return engine.mintV2(owner, metadataV2({ ...metadata, collection: named }));
    }
    const named = collection === null ? null : { address: collection, verified: false };
    const given = metadataV1({ ...metadata, collection: named, uses: usesOf(input) });
    return named !== null && isVerified ? engine.mintToCollection(owner, given) : engine.mintV1(owner, given);
  });
  let leaf: LeafAsset = putAsset<LeafAsset>(context.journal, {
    type: "leaf",
    id: held!.leaf.assetId,
    content,
    tree,
    nonce,
    held: held!,
    burnt: false,
  });
  if (input.delegate !== undefined)
    leaf = delegateLeaf(context, leaf, readAddress(input.delegate, "delegate"));
  return input.frozen === true ? freezeLeaf(context, leaf, true, "delegate") : leaf;
};

export const transferLeaf = (context: WorldContext, leaf: LeafAsset, to: AddressBytes): LeafAsset =>
  change(context, leaf, (engine) => engine.transfer(leaf.nonce, to));

/** Null gives the right back to the owner. */
export const delegateLeaf = (
  context: WorldContext,
  leaf: LeafAsset,
  delegate: AddressBytes | null,
): LeafAsset =>
  change(context, leaf, (engine) => engine.delegate(leaf.nonce, delegate ?? leaf.held.leaf.assetOwner));

/** @throws LamplightError `CHAIN__INVALID_INPUT` for a V1 leaf, which cannot be frozen */
export const freezeLeaf = (
  context: WorldContext,
  leaf: LeafAsset,
  frozen: boolean,
  by: FreezeChoice["by"],
): LeafAsset => {
  const before = leaf.held.leaf;
  if (before.version === 1)
    throw invalid("frozen", 'needs kind "compressed-v2": V1 leaves have no such flag');
  if (by === "permanentDelegate") withPermanentFreeze(collectionPluginsOf(context, leaf), frozen);
  const flag = by === "permanentDelegate" ? leafFlags.frozenByPermanentDelegate : leafFlags.frozenByDelegate;
  const flags = frozen ? before.flags | flag : before.flags & ~flag;
  return change(context, leaf, (engine) =>
    engine.setFlags(leaf.nonce, frozen ? "freeze_v2" : "thaw_v2", flags),
  );
};

/** By its own flags, or by its collection. */
export const isLeafFrozen = (context: WorldContext, leaf: LeafAsset): boolean =>
  (leaf.held.leaf.version === 2 && leaf.held.leaf.flags !== 0) ||
  isFrozenBy(collectionPluginsOf(context, leaf), "permanentFreezeDelegate");

/** None of a V1 leaf. */
const collectionPluginsOf = (context: WorldContext, { held }: LeafAsset): readonly CorePluginFields[] => {
  const { collection } = held.metadata;
  const found = collection === null ? undefined : findAsset(context.journal, collection.address);
  return found?.type === "core-collection" ? found.plugins : [];
};

export const verifyLeafCreator = (
  context: WorldContext,
  leaf: LeafAsset,
  creator: AddressBytes,
  verified: boolean,
): LeafAsset => change(context, leaf, (engine) => engine.verifyCreator(leaf.nonce, creator, verified));

/** @throws LamplightError `CHAIN__INVALID_INPUT` where the leaf has no collection, or is of V2 */
export const verifyLeafCollection = (
  context: WorldContext,
  leaf: LeafAsset,
  verified: boolean,
): LeafAsset => {
  const { metadata } = leaf.held;
  if (metadata.version === 2) throw invalid("collection", "of a V2 leaf is always verified");
  if (metadata.collection === null) throw invalid("collection", "is not set on this asset");
  return change(context, leaf, (engine) => engine.verifyCollection(leaf.nonce, verified));
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` for null of a V1 leaf */
export const setLeafCollection = (
  context: WorldContext,
  leaf: LeafAsset,
  collection: AddressBytes | null,
): LeafAsset => {
  if (collection === null && leaf.held.leaf.version === 1)
    throw invalid("collection", "of a V1 leaf can be unverified, not removed");
  if (collection !== null && leaf.held.leaf.version === 2)
    openForCompressed(context, findCoreCollection(context, collection));
  return change(context, leaf, (engine) => engine.setCollection(leaf.nonce, collection));
};

export const updateLeaf = (context: WorldContext, leaf: LeafAsset, input: UpdateInput): LeafAsset => {
  if (input.updateAuthority !== undefined)
    throw invalid("updateAuthority", "of a compressed asset is that of its tree");
  const content = readContent(context, input, leaf.content, leaf.content);
  const { metadata } = leaf.held;
  const update: LeafUpdate = {
    name: content.name,
    symbol: content.symbol,
    uri: content.uri,
    ...(input.creators === undefined ? {} : { creators: readCreators(input.creators, context.authority()) }),
    basisPoints: readBasisPoints(input.sellerFeeBasisPoints, metadata.basisPoints),
    primarySaleHappened: input.primarySaleHappened ?? metadata.primarySaleHappened,
    mutable: input.mutable ?? metadata.mutable,
  };
  return change(context, { ...leaf, content }, (engine) => engine.update(leaf.nonce, update));
};

export const burnLeaf = (context: WorldContext, leaf: LeafAsset): LeafAsset => {
  run(context, leaf.tree, leaf, (engine) => engine.burn(leaf.nonce));
  return putAsset(context.journal, { ...leaf, burnt: true });
};

/** Takes the leaf out of its tree; the mint at its id follows. */
export const redeemLeaf = (context: WorldContext, leaf: LeafAsset): void => {
  run(context, leaf.tree, leaf, (engine) => engine.redeem(leaf.nonce));
};

const change = (
  context: WorldContext,
  leaf: LeafAsset,
  instruction: (engine: BubblegumTree) => Transaction,
): LeafAsset => putAsset(context.journal, { ...leaf, held: run(context, leaf.tree, leaf, instruction)! });

/** Runs one instruction on a tree that is put together from the records, and keeps what it changed. */
const run = (
  context: WorldContext,
  address: AddressBytes,
  leaf: LeafAsset | null,
  instruction: (engine: BubblegumTree) => Transaction,
): Held | undefined => {
  const { state, config, seq, leaves } = context.journal.find<TreeRecord>(treeKey(address))!;
  const engine = new BubblegumTree(0, { state, address, config });
  engine.seq = seq;
  engine.held.length = leaves;
  if (leaf !== null) engine.held[leaf.nonce] = { ...leaf.held };
  step(context, engine, instruction);
  return engine.held[leaf?.nonce ?? leaves];
};

/** Sends the transaction of an instruction, and writes the account of the tree, which it changed. */
const step = (
  context: WorldContext,
  tree: BubblegumTree,
  instruction: (tree: BubblegumTree) => Transaction,
): void => {
  // The account names the slot in which the tree was created.
  tree.slot = context.slot() - 1;
  context.send(instruction(tree));
  context.write(tree.account());
  const { config, seq, state, held } = tree;
  context.journal.set(treeKey(tree.address), {
    config,
    seq,
    state,
    leaves: held.length,
  } satisfies TreeRecord);
};

const chooseTree = (context: WorldContext, input: MintInput): AddressBytes => {
  const { journal } = context;
  if (input.tree !== undefined) {
    const given = readAddress(input.tree, "tree");
    const record = journal.find<TreeRecord>(treeKey(given));
    if (record === undefined) throw invalid("tree", "must be a tree of this chain");
    if (isFull(record)) throw invalid("tree", "has no room left");
    return given;
  }
  const shared = journal.find<AddressBytes>(`shared-tree:${input.kind}`);
  const record = shared === undefined ? undefined : journal.find<TreeRecord>(treeKey(shared));
  if (shared !== undefined && record !== undefined && !isFull(record)) return shared;
  const created = createTree(context);
  journal.set(`shared-tree:${input.kind}`, created);
  return created;
};

const collectionOf = (context: WorldContext, input: MintInput, isV2: boolean): AddressBytes => {
  const address = readAddress(input.collection!, "collection");
  if (isV2) {
    openForCompressed(context, findCoreCollection(context, address));
    return address;
  }
  const found = findAsset(context.journal, address);
  if (found?.type === "token" && found.isCollection) return address;
  throw invalid("collection", 'must be a collection of kind "nft" on this chain');
};

const useMethods = { burn: 0, multiple: 1, single: 2 };

const usesOf = ({ uses }: MintInput): { method: number; remaining: bigint; total: bigint } | null =>
  uses === undefined
    ? null
    : { method: useMethods[uses.method], remaining: BigInt(uses.remaining), total: BigInt(uses.total) };
