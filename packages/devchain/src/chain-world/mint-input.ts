import type { CorePluginData, ExternalAdapter } from "@lamplight/codecs";
import type { ExtensionField } from "../encode/extension.ts";
import type { AddressLike } from "../input.ts";

/** Kinds of assets that a chain mints. A master edition is an `nft` with `maxSupply`. */
export const assetKinds = [
  "nft",
  "programmable-nft",
  "core",
  "token-2022",
  "compressed",
  "compressed-v2",
  "fungible",
] as const;
export type AssetKind = (typeof assetKinds)[number];

/**
 * Kinds of collections. `core` is for `core` and `compressed-v2` assets, `nft` for `nft`, `programmable-nft` and
 * `compressed` ones. `token-2022` is a token group, `core-group` a group of MPL Core.
 */
export const collectionKinds = ["core", "nft", "token-2022", "core-group"] as const;
export type CollectionKind = (typeof collectionKinds)[number];

/** By trait; or the list as documents have it. */
export type Attributes =
  | Readonly<Record<string, string | number>>
  | readonly { readonly trait_type: string; readonly value: string | number }[];

export interface CreatorInput {
  readonly address: AddressLike;
  /** Percent. All shares of an asset sum to 100. */
  readonly share: number;
  /** Default: whether it is the update authority. */
  readonly verified?: boolean;
}

/** The content of an asset's document. Without `uri` the document is written, with a picture, and kept. */
export interface ContentInput {
  readonly name?: string;
  readonly symbol?: string;
  readonly description?: string;
  readonly attributes?: Attributes;
  /** Default: a small picture that follows from the name, as a data URI. */
  readonly image?: string;
  readonly animationUrl?: string;
  readonly externalUrl?: string;
  /** Address of the document. Default: follows from the document's content. */
  readonly uri?: string;
  /** The document behind `uri`. Null = none is there. Default: written from the other properties. */
  readonly document?: object | null;
}

/** A plugin of MPL Core. Addresses are bytes. */
export type CorePluginInput = CorePluginData & {
  /** Default: what the program gives this plugin. */
  readonly authority?: "none" | "owner" | "updateAuthority" | AddressLike;
};

/** Moments at which an external plugin adapter is asked, and what it may then do. */
export type LifecycleChecksInput = {
  readonly [Event in "create" | "transfer" | "burn" | "update" | "execute"]?: readonly (
    | "listen"
    | "approve"
    | "reject"
  )[];
};

/** An external plugin adapter of MPL Core: an oracle, a lifecycle hook, app data, their linked forms … */
export type ExternalPluginInput = ExternalAdapter & {
  /** Default: the update authority. */
  readonly authority?: "none" | "owner" | "updateAuthority" | AddressLike;
  readonly lifecycleChecks?: LifecycleChecksInput;
  /** The data that the adapter keeps in the account, in its schema. Text is UTF-8. */
  readonly data?: Uint8Array | string;
};

/**
 * Token-2022 extensions by name, `true` for a marker. Fields are named as in `jsonParsed`. Addresses may be base58 text.
 */
export type ExtensionsInput = Readonly<
  Record<string, true | Readonly<Record<string, ExtensionField | string | { readonly address: string }>>>
>;

export interface CollectionInput extends ContentInput {
  readonly name: string;
  /** Default `core`. */
  readonly kind?: CollectionKind;
  readonly updateAuthority?: AddressLike;
  /** Default 500. */
  readonly sellerFeeBasisPoints?: number;
  readonly creators?: readonly CreatorInput[];
  /** Only `core` collections take them. */
  readonly plugins?: readonly CorePluginInput[];
  readonly externalPlugins?: readonly ExternalPluginInput[];
  /** Members that a token group takes at most. Default 10,000. */
  readonly maxSize?: number;
}

export interface MintInput extends ContentInput {
  readonly kind: AssetKind;
  /** Default: the wallet "authority". */
  readonly owner?: AddressLike;
  readonly collection?: AddressLike;
  /** Only kinds whose collection confirms its members take it. Default true. */
  readonly collectionVerified?: boolean;
  /** A group of MPL Core, of kind `core`. */
  readonly group?: AddressLike;
  /** Default: the wallet "authority". */
  readonly updateAuthority?: AddressLike;
  readonly creators?: readonly CreatorInput[];
  /** 0 to 10,000. Default 500, of fungibles 0. */
  readonly sellerFeeBasisPoints?: number;
  readonly primarySaleHappened?: boolean;
  /** Default true. */
  readonly mutable?: boolean;
  readonly delegate?: AddressLike;
  readonly frozen?: boolean;
  readonly uses?: {
    readonly method: "burn" | "multiple" | "single";
    readonly remaining: number;
    readonly total: number;
  };
  /** Prints that may exist of an `nft`; null = any number. Default 0. */
  readonly maxSupply?: number | null;
  /** Only a `programmable-nft` takes it. */
  readonly ruleSet?: AddressLike;
  /** Only the kind `core` takes them. */
  readonly plugins?: readonly CorePluginInput[];
  /** Only the kind `core` takes them. */
  readonly externalPlugins?: readonly ExternalPluginInput[];
  /** Only the kind `token-2022` and a `fungible` of that program take them. */
  readonly extensions?: ExtensionsInput;
  /** Only Token-2022 mints with their own metadata take it. */
  readonly additionalMetadata?: Readonly<Record<string, string>>;
  /** Only a `fungible` takes it. Default `token`. */
  readonly tokenProgram?: "token" | "token-2022";
  /** Supply of a `fungible` in raw units. Default 1,000,000 tokens. All are minted to the owner. */
  readonly supply?: bigint | number;
  /** Only a `fungible` takes it. Default 6. */
  readonly decimals?: number;
  /** Only a `fungible` takes it. Default: the update authority. Null = none. */
  readonly mintAuthority?: AddressLike | null;
  readonly freezeAuthority?: AddressLike | null;
  /** A tree of this chain, for compressed kinds. Default: one that all share. */
  readonly tree?: AddressLike;
}

/** The properties that an update replaces. Members that are not given stay. */
export interface UpdateInput extends ContentInput {
  readonly creators?: readonly CreatorInput[];
  readonly sellerFeeBasisPoints?: number;
  readonly primarySaleHappened?: boolean;
  readonly mutable?: boolean;
  readonly updateAuthority?: AddressLike;
}

/** The holding that an operation changes; only fungibles need it. */
export interface HoldingChoice {
  /** Owner of the holding. Default: the owner of an asset with one owner. */
  readonly from?: AddressLike;
  /** Raw units. Default 1 for an asset with one owner. */
  readonly amount?: bigint | number;
}

/** A holding, and the authority that freezes it. */
export interface FreezeChoice extends HoldingChoice {
  /**
   * `permanentDelegate`: the PermanentFreezeDelegate of a Core asset or collection; for a `compressed-v2` asset, that of
   * its collection. Default: the delegate or authority that the owner or the mint chose.
   */
  readonly by?: "delegate" | "permanentDelegate";
}
