import { decodeMint, encodeAddress, isTokenProgram, leafFlags, sameBytes } from "@lamplight/codecs";
import {
  inheritable,
  type Inheritance,
  INHERITED_BASIS_POINTS,
  isLater,
  type LeafState,
  type LedgerState,
  type MetadataGroup,
} from "@lamplight/core";
import { type AssetRecord, assetRecord, type Compression } from "../../record/asset-record.ts";
import type { AssetKind, AssetView } from "../../rules/rules.ts";
import { isKnownCollection } from "../mpl-core/mpl-core-rule.ts";
import { leafStateOf } from "./leaf-states.ts";

/** A hash of 32 zero bytes. It is also the address that means no account. */
const emptyHash = new Uint8Array(32);
const useMethods = ["burn", "multiple", "single"] as const;

/**
 * Assets that live in a tree. Once an asset is decompressed, its mint and metadata accounts at the same id are
 * the whole truth: this kind then gives way, regardless of what late transactions report.
 */
export const compressedKind: AssetKind = {
  name: "compressed",
  derive: (view) => {
    if (view.leaf === null || isDecompressed(view)) return null;
    return { record: recordOf(view, view.leaf), editions: [], editionAddresses: [] };
  },
};

/** A token that was burnt before its metadata were ever seen has none: its mint is empty. */
const isDecompressed = ({ self, linked }: AssetView): boolean =>
  self !== null &&
  isTokenProgram(self.claiming.programOwner) &&
  (linked("metadata").length > 0 || decodeMint(self.claiming.data)?.supply === 0n);

const recordOf = (view: AssetView, ledger: LedgerState): AssetRecord => {
  const { id } = view;
  const state = leafStateOf(ledger);
  const { leaf, treeConfig } = state;
  const status = statusOf(state);
  const metadata = currentMetadata(state);
  const flags = leaf?.v2?.flags ?? 0;
  const burnt = status === "burnt";
  const inherits = inheritanceOf(view, state, metadata);
  const takesRoyalty = ((inherits?.facts ?? 0) & inheritable.royalty) !== 0;
  return assetRecord({
    id,
    interface: "V1_NFT",
    name: withoutNul(metadata?.name ?? ""),
    symbol: withoutNul(metadata?.symbol ?? ""),
    jsonUri: withoutNul(metadata?.uri ?? "").trim(),
    tokenStandard: "NonFungible",
    authority: treeConfig,
    assetOwner: leaf?.assetOwner ?? null,
    delegate: delegateOf(state),
    frozen: (flags & (leafFlags.frozenByDelegate | leafFlags.frozenByPermanentDelegate)) !== 0,
    nonTransferable: (leaf?.v2 ?? null) === null ? null : (flags & leafFlags.nonTransferable) !== 0,
    compression: compressionOf(state, status),
    inherits,
    basisPoints: takesRoyalty ? INHERITED_BASIS_POINTS : ownBasisPoints(metadata),
    primarySaleHappened: metadata?.primarySaleHappened ?? false,
    creators: takesRoyalty ? [] : (metadata?.creators ?? []),
    rawRoyalty:
      metadata?.basisPoints === BASIS_POINTS_INHERIT
        ? { basisPoints: BASIS_POINTS_INHERIT, creators: metadata.creators }
        : null,
    groups: groupsOf(metadata),
    uses: usesOf(metadata),
    print: {
      maxSupply: 0n,
      currentSupply: 0n,
      editionNonce: metadata?.editionNonce ?? null,
      editionNumber: null,
    },
    mutable: metadata?.mutable ?? true,
    burnt,
    supply: burnt ? 0n : 1n,
    updatedSlot: Math.max(leaf?.slot ?? 0, state.end?.slot ?? 0),
  });
};

/** A leaf with these basis points takes them and its creators from the Royalties plugin of its collection. */
const BASIS_POINTS_INHERIT = 65_535;

/** Nothing, as long as the collection that they come from is not known. */
const ownBasisPoints = (metadata: MetadataGroup | null): number =>
  metadata === null || metadata.basisPoints === BASIS_POINTS_INHERIT ? 0 : metadata.basisPoints;

/** A leaf in a Core collection is frozen with it, and may leave the royalty to it. */
const inheritanceOf = (
  view: AssetView,
  { leaf }: LeafState,
  metadata: MetadataGroup | null,
): Inheritance | null => {
  const collection = metadata?.collection ?? null;
  if (collection === null || (leaf?.v2 ?? null) === null) return null;
  if (!isKnownCollection(view, collection.address)) return null;
  const takesRoyalty = metadata?.basisPoints === BASIS_POINTS_INHERIT;
  return {
    from: collection.address,
    facts: inheritable.frozen | (takesRoyalty ? inheritable.royalty : 0),
  };
};

type Status = "held" | "burnt" | "redeemed";

/** A redeemed leaf that came back by cancel_redeem has the newer leaf. */
const statusOf = ({ leaf, end }: LeafState): Status =>
  end === null || (leaf !== null && isLater(leaf, end)) ? "held" : end.kind;

/**
 * The metadata that hash to what the leaf says now. Older ones, with the change between missing, are known to be
 * wrong by now and are not shown.
 */
const currentMetadata = ({ leaf, metadata }: LeafState): MetadataGroup | null =>
  metadata !== null && leaf !== null && sameBytes(metadata.dataHash, leaf.dataHash) ? metadata : null;

/** The owner, or the default address, in the delegate's place means that there is none. */
const delegateOf = ({ leaf }: LeafState): Uint8Array | null =>
  leaf === null || sameBytes(leaf.delegate, leaf.assetOwner) || sameBytes(leaf.delegate, emptyHash)
    ? null
    : leaf.delegate;

/** The hashes of the last leaf stay with a burnt asset; a redeemed one is between tree and token, with an empty leaf. */
const compressionOf = ({ tree, nonce, leaf, end }: LeafState, status: Status): Compression => {
  const shown = status === "redeemed" ? null : leaf;
  const lastChange = status === "held" ? leaf : end;
  return {
    tree,
    leafIndex: nonce,
    seq: lastChange?.seq ?? 0,
    dataHash: shown?.dataHash ?? emptyHash,
    creatorHash: shown?.creatorHash ?? emptyHash,
    assetHash: shown?.leafHash ?? emptyHash,
    v2:
      (leaf?.v2 ?? null) === null
        ? null
        : {
            collectionHash: shown?.v2?.collectionHash ?? emptyHash,
            assetDataHash: shown?.v2?.assetDataHash ?? emptyHash,
            flags: shown?.v2?.flags ?? 0,
          },
  };
};

const groupsOf = (metadata: MetadataGroup | null): AssetRecord["groups"] => {
  const collection = metadata?.collection ?? null;
  return collection === null
    ? []
    : [{ key: "collection", value: encodeAddress(collection.address), verified: collection.verified }];
};

const usesOf = (metadata: MetadataGroup | null): AssetRecord["uses"] => {
  const uses = metadata?.uses ?? null;
  const useMethod = uses === null ? undefined : useMethods[uses.method];
  if (uses === null || useMethod === undefined) return null;
  return { useMethod, remaining: uses.remaining, total: uses.total };
};

const withoutNul = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text);
