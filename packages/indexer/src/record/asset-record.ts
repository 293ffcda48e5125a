import type {
  AddressBytes,
  AssetInterface,
  Creator,
  Group,
  Inheritance,
  JsonValue,
  OwnerModel,
  Slot,
} from "@lamplight/core";

/** Members that only compressed assets have. Hashes are 32 bytes. */
export interface Compression {
  readonly tree: AddressBytes;
  readonly leafIndex: number;
  readonly seq: number;
  readonly dataHash: Uint8Array;
  readonly creatorHash: Uint8Array;
  readonly assetHash: Uint8Array;
  /** Leaf schema V2 only; null on V1 leaves, whose documents leave the three members out. */
  readonly v2: {
    readonly collectionHash: Uint8Array;
    readonly assetDataHash: Uint8Array;
    readonly flags: number;
  } | null;
}

export interface Uses {
  readonly useMethod: "burn" | "multiple" | "single";
  readonly remaining: bigint;
  readonly total: bigint;
}

/** Numbers of the wire member `supply`; a record without it leaves the member out (fungibles, Core). */
export interface PrintSupply {
  /** Null = unlimited; 0n when no edition account is known, and for prints, which cannot be printed from. */
  readonly maxSupply: bigint | null;
  readonly currentSupply: bigint;
  readonly editionNonce: number | null;
  /** Number of this print among its master's prints; null leaves the member out. */
  readonly editionNumber: bigint | null;
}

/** Shown by the flag showFungible. */
export interface TokenInfo {
  readonly supply: bigint;
  readonly decimals: number;
  readonly tokenProgram: AddressBytes;
  readonly mintAuthority: AddressBytes | null;
  readonly freezeAuthority: AddressBytes | null;
}

/** A JSON object whose members the contract does not name. */
export interface JsonMembers {
  readonly [name: string]: JsonValue;
}

/** Extension members at the end of the document. Those that are absent are left out. */
export interface AssetExtensions {
  readonly mintExtensions?: JsonMembers;
  readonly plugins?: JsonMembers;
  readonly unknownPlugins?: readonly JsonValue[];
  readonly coreInfo?: JsonMembers;
  readonly externalPlugins?: readonly JsonValue[];
  readonly unknownExternalPlugins?: readonly JsonValue[];
}

/**
 * Everything known about one asset at its newest states, regardless of what program rules it: the one shape from which both the
 * searchable facts and the public document are made. Rules build it with `assetRecord`, which fills in what most
 * assets have in common.
 */
export interface AssetRecord {
  readonly id: AddressBytes;
  readonly interface: AssetInterface;
  /** NULs removed; "" when there is none. */
  readonly name: string;
  readonly symbol: string;
  /** NULs removed and trimmed; "" when there is none. */
  readonly jsonUri: string;
  /** Wire name (`NonFungible`, …); null leaves the member out. */
  readonly tokenStandard: string | null;
  /** Null = no authority: `authorities` is `[]`. */
  readonly authority: AddressBytes | null;
  readonly ownerModel: OwnerModel;
  /** Null when unknown and for fungibles: answered as "". */
  readonly assetOwner: AddressBytes | null;
  readonly delegate: AddressBytes | null;
  readonly frozen: boolean;
  /** Null leaves `ownership.non_transferable` out. */
  readonly nonTransferable: boolean | null;
  readonly compression: Compression | null;
  /** Members that it takes from its Core collection; null = none. Members that are inherited are empty here. */
  readonly inherits: Inheritance | null;
  /** 0 to 65535; `INHERITED_BASIS_POINTS` where they are inherited. */
  readonly basisPoints: number;
  readonly primarySaleHappened: boolean;
  /** Royalty in a compressed asset's own metadata where they leave it to the collection; else null. */
  readonly rawRoyalty: { readonly basisPoints: number; readonly creators: readonly Creator[] } | null;
  /** Creators are in chain order. */
  readonly creators: readonly Creator[];
  /** Verified and unverified; documents show the verified ones. */
  readonly groups: readonly Group[];
  readonly uses: Uses | null;
  readonly print: PrintSupply | null;
  readonly mutable: boolean;
  readonly burnt: boolean;
  /** The supply that the `supply` criterion compares with; null when there is none. */
  readonly supply: bigint | null;
  /** The token mint behind the asset; null for Core and compressed assets. */
  readonly supplyMint: AddressBytes | null;
  readonly tokenInfo: TokenInfo | null;
  readonly extensions: AssetExtensions;
  /** Shown by the flag showInscription. */
  readonly inscription: JsonMembers | null;
  /** Highest slot among the records and leaf events this record is built from; another asset's records do not count. */
  readonly updatedSlot: Slot;
}

type Known = Pick<AssetRecord, "id" | "interface" | "updatedSlot"> & Partial<AssetRecord>;

/**
 * A record from what an asset is known to have; the rest is empty, as for a mint without metadata. Written out, since
 * records are made for every asset of every commit, and spreading two objects takes several times as long.
 */
export const assetRecord = (known: Known): AssetRecord => ({
  id: known.id,
  interface: known.interface,
  name: known.name ?? "",
  symbol: known.symbol ?? "",
  jsonUri: known.jsonUri ?? "",
  tokenStandard: known.tokenStandard ?? null,
  authority: known.authority ?? null,
  ownerModel: known.ownerModel ?? "single",
  assetOwner: known.assetOwner ?? null,
  delegate: known.delegate ?? null,
  frozen: known.frozen ?? false,
  nonTransferable: known.nonTransferable ?? null,
  compression: known.compression ?? null,
  inherits: known.inherits ?? null,
  basisPoints: known.basisPoints ?? 0,
  primarySaleHappened: known.primarySaleHappened ?? false,
  rawRoyalty: known.rawRoyalty ?? null,
  creators: known.creators ?? [],
  groups: known.groups ?? [],
  uses: known.uses ?? null,
  print: known.print ?? null,
  mutable: known.mutable ?? true,
  burnt: known.burnt ?? false,
  supply: known.supply ?? null,
  supplyMint: known.supplyMint ?? null,
  tokenInfo: known.tokenInfo ?? null,
  extensions: known.extensions ?? {},
  inscription: known.inscription ?? null,
  updatedSlot: known.updatedSlot,
});
