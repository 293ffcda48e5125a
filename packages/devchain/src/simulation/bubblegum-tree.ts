// A Bubblegum tree as its program would run it: each step gives the transaction that a node would report, with true
// hashes. For chains that are simulated, and for tests that need histories which do not exist in the wild.

import {
  BorshWriter,
  deriveAssetId,
  encodeMetadata,
  findProgramAddress,
  hashLeaf,
  type Leaf,
  type LeafMetadata,
  type LeafMetadataV1,
  type LeafMetadataV2,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { AddressBytes, Transaction } from "@lamplight/core";
import { type Draft, draftOf } from "../draft.ts";
import { invalid } from "../input.ts";
import {
  changeLogPayload,
  filler,
  given,
  type LeafUpdate,
  leafPayload,
  writeUpdate,
} from "./bubblegum-payloads.ts";
import { transactionOf } from "./bubblegum-transaction.ts";
import { mintedLeaf, withMetadata } from "./leaf-of.ts";
import { addressOf, metadataV1, metadataV2 } from "./leaf-samples.ts";
import type { MerkleNodes } from "./merkle-nodes.ts";
import { TreeAccount } from "./tree-account.ts";

const DEPTH_DEFAULT = 10;
const emptyLeaf = new Uint8Array(32);

/** A leaf with the metadata that its hashes are of. */
export interface Held {
  leaf: Leaf;
  metadata: LeafMetadata;
}

interface TreeOptions {
  /** Levels between leaf and root: it has room for 2^depth leaves. Default 10. */
  readonly depth?: number;
  /** Levels below the root whose nodes the account holds. Default 0. */
  readonly canopyDepth?: number;
  /** The tree as it was before; its depth counts. Default: empty. */
  readonly state?: TreeAccount;
  readonly address?: AddressBytes;
  readonly config?: AddressBytes;
}

export class BubblegumTree {
  readonly address: AddressBytes;
  readonly config: AddressBytes;
  seq = 0;
  slot = 1000;
  readonly held: Held[] = [];
  readonly #number: number;
  readonly #options: TreeOptions;
  #account: TreeAccount;

  constructor(number: number, options: TreeOptions = {}) {
    this.#number = number;
    this.#options = options;
    this.#account =
      options.state?.copy() ?? new TreeAccount(options.depth ?? DEPTH_DEFAULT, options.canopyDepth ?? 0);
    this.address = options.address ?? addressOf(10_000 + number);
    this.config = options.config ?? addressOf(20_000 + number);
  }

  /** Whether no further leaf can be minted. */
  get isFull(): boolean {
    return this.held.length >= 2 ** this.nodes.depth;
  }

  /** Copies its account as it is now. */
  get state(): TreeAccount {
    return this.#account.copy();
  }

  /** Every node of the tree as it is now. */
  get nodes(): MerkleNodes {
    return this.#account.nodes;
  }

  /** The account of the tree as it is now. Its authority is the one that Bubblegum derives. */
  account(): Draft {
    const { address: authority } = findProgramAddress([this.address], programAddresses.bubblegum);
    return draftOf(this.address, programAddresses.splAccountCompression, this.#account.encode(authority));
  }

  /** As it is now, to go on differently: the same tree on another fork. */
  copy(): BubblegumTree {
    const copy = new BubblegumTree(this.#number, this.#options);
    copy.seq = this.seq;
    copy.slot = this.slot;
    copy.held.push(...this.held.map((held) => ({ ...held })));
    copy.#account = this.#account.copy();
    return copy;
  }

  idOf(nonce: number): AddressBytes {
    return deriveAssetId(this.address, nonce);
  }

  create(): Transaction {
    this.seq = -1;
    return this.#step("create_tree", [this.config, this.address], new BorshWriter(), null, 0, emptyLeaf);
  }

  mintV1(owner: AddressBytes, metadata: LeafMetadataV1 = metadataV1()): Transaction {
    const leaf = this.#newLeaf(owner, metadata);
    const accounts = [this.config, owner, owner, this.address];
    return this.#put("mint_v1", accounts, new BorshWriter().bytes(encodeMetadata(metadata)), leaf);
  }

  /** Mints a V1 leaf whose metadata name a collection: the instruction verifies it on the way. */
  mintToCollection(owner: AddressBytes, metadata: LeafMetadataV1): Transaction {
    const collection = metadata.collection!;
    const leaf = this.#newLeaf(owner, { ...metadata, collection: { ...collection, verified: true } });
    const { bubblegum } = programAddresses;
    const people = [this.config, owner, owner, this.address, owner, owner, owner, bubblegum];
    const argument = encodeMetadata({ ...metadata, collection: { ...collection, verified: false } });
    const body = new BorshWriter().bytes(argument);
    return this.#put("mint_to_collection_v1", [...people, collection.address], body, leaf);
  }

  mintV2(owner: AddressBytes, metadata: LeafMetadataV2 = metadataV2()): Transaction {
    const leaf = this.#newLeaf(owner, metadata);
    const { bubblegum } = programAddresses;
    const collection = metadata.collection?.address ?? bubblegum;
    const accounts = [this.config, owner, owner, bubblegum, owner, owner, this.address, collection];
    const body = new BorshWriter().bytes(encodeMetadata(metadata)).bool(false).bool(false);
    return this.#put("mint_v2", accounts, body, leaf);
  }

  transfer(nonce: number, owner: AddressBytes): Transaction {
    const { leaf } = this.#at(nonce);
    const next: Leaf = { ...leaf, assetOwner: owner, delegate: owner };
    const { bubblegum } = programAddresses;
    const accounts =
      leaf.version === 1
        ? [this.config, leaf.assetOwner, leaf.delegate, owner, this.address]
        : [this.config, owner, bubblegum, leaf.assetOwner, leaf.delegate, owner, this.address, bubblegum];
    return this.#put(leaf.version === 1 ? "transfer" : "transfer_v2", accounts, given(leaf), next);
  }

  delegate(nonce: number, delegate: AddressBytes): Transaction {
    const { leaf } = this.#at(nonce);
    const next: Leaf = { ...leaf, delegate };
    if (leaf.version === 1) {
      const accounts = [this.config, leaf.assetOwner, leaf.delegate, delegate, this.address];
      return this.#put("delegate", accounts, given(leaf), next);
    }
    const accounts = [this.config, leaf.assetOwner, leaf.assetOwner, leaf.delegate, delegate, this.address];
    const reported = new BorshWriter().bytes(filler).bytes(leaf.dataHash).bytes(leaf.creatorHash);
    reported.option(leaf.collectionHash, (hash) => reported.bytes(hash)).bool(false);
    reported.option(leaf.flags, (flags) => reported.u8(flags));
    return this.#put("delegate_v2", accounts, reported.u64(BigInt(nonce)).u32(nonce), next);
  }

  /** V2 leaves only. */
  setFlags(
    nonce: number,
    name: "freeze_v2" | "thaw_v2" | "set_non_transferable_v2",
    flags: number,
  ): Transaction {
    const { leaf } = this.#at(nonce);
    if (leaf.version === 1) throw invalid("nonce", `${nonce} is a V1 leaf; only V2 leaves have flags`);
    const { bubblegum } = programAddresses;
    const owner = leaf.assetOwner;
    const accounts = [this.config, owner, bubblegum, owner, leaf.delegate, this.address, bubblegum];
    return this.#put(name, accounts, given(leaf), { ...leaf, flags });
  }

  /** Replaces members of the metadata; a text is a new name. */
  update(nonce: number, change: string | LeafUpdate): Transaction {
    const { leaf, metadata } = this.#at(nonce);
    const { bubblegum } = programAddresses;
    const update: LeafUpdate = typeof change === "string" ? { name: change } : change;
    const reported = this.#metadataArguments(nonce, false);
    writeUpdate(reported, update);
    const people = [leaf.assetOwner, leaf.delegate];
    const accounts =
      leaf.version === 1
        ? [this.config, bubblegum, bubblegum, bubblegum, bubblegum, ...people, bubblegum, this.address]
        : [this.config, bubblegum, bubblegum, ...people, this.address, bubblegum];
    const name = leaf.version === 1 ? "update_metadata" : "update_metadata_v2";
    return this.#putMetadata(name, accounts, reported, nonce, { ...metadata, ...update });
  }

  /** Sets or clears the mark that a creator of the metadata signed. */
  verifyCreator(nonce: number, creator: AddressBytes, verified: boolean): Transaction {
    const { leaf, metadata } = this.#at(nonce);
    const name = `${verified ? "verify" : "unverify"}_creator${leaf.version === 1 ? "" : "_v2"}`;
    const people = [leaf.assetOwner, leaf.delegate];
    const accounts =
      leaf.version === 1
        ? [this.config, ...people, this.address, creator, creator]
        : [this.config, creator, creator, ...people, this.address];
    const creators = metadata.creators.map((each) =>
      sameBytes(each.address, creator) ? { ...each, verified } : each,
    );
    const changed = { ...metadata, creators };
    return this.#putMetadata(name, accounts, this.#metadataArguments(nonce), nonce, changed);
  }

  /** V1 leaves only: (un)verifies the collection that the metadata name. */
  verifyCollection(nonce: number, verified: boolean): Transaction {
    const { metadata } = this.#at(nonce);
    const { collection } = metadata;
    if (collection === null) throw invalid("nonce", `${nonce} is a leaf without a collection`);
    const name = verified ? "verify_collection" : "unverify_collection";
    const accounts = this.#collectionAccounts(nonce, collection.address);
    const changed = { ...metadata, collection: { ...collection, verified } };
    return this.#putMetadata(name, accounts, this.#metadataArguments(nonce), nonce, changed);
  }

  /** Puts the leaf into a collection. Null takes it out, which only V2 leaves can be. */
  setCollection(nonce: number, collection: AddressBytes | null): Transaction {
    const { leaf, metadata } = this.#at(nonce);
    const next = collection === null ? null : { address: collection, verified: true };
    const reported = this.#metadataArguments(nonce);
    if (leaf.version === 1) {
      if (collection === null)
        throw invalid("nonce", `${nonce} is a V1 leaf; only V2 leaves can leave a collection`);
      const accounts = this.#collectionAccounts(nonce, collection);
      reported.bytes(collection);
      const moved = { ...metadata, collection: next };
      return this.#putMetadata("set_and_verify_collection", accounts, reported, nonce, moved);
    }
    const { bubblegum } = programAddresses;
    const owner = leaf.assetOwner;
    const people = [this.config, owner, bubblegum, bubblegum, owner, leaf.delegate, this.address];
    const collections = [metadata.collection?.address ?? bubblegum, collection ?? bubblegum];
    const moved = { ...metadata, collection: next };
    return this.#putMetadata("set_collection_v2", [...people, ...collections], reported, nonce, moved);
  }

  burn(nonce: number): Transaction {
    const { leaf } = this.#at(nonce);
    const people = [leaf.assetOwner, leaf.delegate];
    const accounts =
      leaf.version === 1
        ? [this.config, ...people, this.address]
        : [this.config, leaf.assetOwner, leaf.assetOwner, ...people, this.address];
    const name = leaf.version === 1 ? "burn" : "burn_v2";
    return this.#step(name, accounts, given(leaf), null, nonce, emptyLeaf);
  }

  redeem(nonce: number): Transaction {
    const { leaf } = this.#at(nonce);
    const accounts = [this.config, leaf.assetOwner, leaf.delegate, this.address, addressOf(30_000)];
    return this.#step("redeem", accounts, given(leaf), null, nonce, emptyLeaf);
  }

  cancelRedeem(nonce: number): Transaction {
    const { leaf } = this.#at(nonce);
    const accounts = [this.config, leaf.assetOwner, this.address, addressOf(30_000)];
    return this.#put("cancel_redeem", accounts, new BorshWriter().bytes(filler), leaf);
  }

  #at(nonce: number): Held {
    const held = this.held[nonce];
    if (held === undefined) throw invalid("nonce", `${nonce} is no leaf of this tree`);
    return held;
  }

  #newLeaf(assetOwner: AddressBytes, metadata: LeafMetadata): Leaf {
    const nonce = this.held.length;
    const leaf = mintedLeaf({ assetId: this.idOf(nonce), nonce, assetOwner }, metadata);
    this.held.push({ leaf, metadata });
    return leaf;
  }

  /** Root, hashes where V1 has them, place, and the metadata as they are before the step. */
  #metadataArguments(nonce: number, withHashes = true): BorshWriter {
    const { leaf, metadata } = this.#at(nonce);
    const reported = new BorshWriter().bytes(filler);
    if (leaf.version === 2) reported.bool(false).bool(false);
    else if (withHashes) reported.bytes(leaf.dataHash).bytes(leaf.creatorHash);
    return reported.u64(BigInt(nonce)).u32(nonce).bytes(encodeMetadata(metadata));
  }

  #collectionAccounts(nonce: number, collection: AddressBytes): readonly AddressBytes[] {
    const { leaf } = this.#at(nonce);
    const { bubblegum } = programAddresses;
    const owner = leaf.assetOwner;
    const people = [this.config, owner, leaf.delegate, this.address, owner, owner, owner, bubblegum];
    return [...people, collection];
  }

  #putMetadata(
    name: string,
    accounts: readonly AddressBytes[],
    reported: BorshWriter,
    nonce: number,
    metadata: LeafMetadata,
  ): Transaction {
    const held = this.#at(nonce);
    held.metadata = metadata;
    return this.#put(name, accounts, reported, withMetadata(held.leaf, metadata));
  }

  #put(name: string, accounts: readonly AddressBytes[], reported: BorshWriter, leaf: Leaf): Transaction {
    this.#at(leaf.nonce).leaf = leaf;
    return this.#step(name, accounts, reported, leaf, leaf.nonce, hashLeaf(leaf));
  }

  #step(
    name: string,
    accounts: readonly AddressBytes[],
    reported: BorshWriter,
    leaf: Leaf | null,
    leafIndex: number,
    node: Uint8Array,
  ): Transaction {
    this.seq += 1;
    this.slot += 1;
    const path =
      this.seq === 0 ? this.#account.create(this.slot) : this.#account.put(this.seq, leafIndex, node);
    return transactionOf({
      tree: this.address,
      seq: this.seq,
      slot: this.slot,
      name,
      accounts,
      reported: reported.finish(),
      published: [
        ...(leaf === null ? [] : [leafPayload(leaf)]),
        changeLogPayload(this.address, this.seq, leafIndex, path),
      ],
    });
  }
}
