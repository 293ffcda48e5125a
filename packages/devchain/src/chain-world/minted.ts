import type { AddressBytes } from "@lamplight/core";
import type { CoreAdapterFields } from "../encode/core-adapters.ts";
import type { CorePluginFields, CoreUpdateAuthority } from "../encode/mpl-core.ts";
import type { ExtensionEntry } from "../encode/token-2022.ts";
import type { MetadataFields } from "../encode/token-metadata.ts";
import type { Held } from "../simulation/bubblegum-tree.ts";
import type { Content } from "./content.ts";

/** One asset, a collection, or a group, as its kind keeps it. Replaced, never changed. */
export type Minted = TokenAsset | CoreAsset | CoreCollection | CoreGroup | LeafAsset;

export type TokenKind = "nft" | "programmable-nft" | "print" | "token-2022" | "fungible";

/** A mint with all that belongs to it, but for its holdings. */
export interface TokenAsset {
  readonly type: "token";
  readonly kind: TokenKind;
  readonly id: AddressBytes;
  readonly content: Content;
  readonly program: AddressBytes;
  readonly supply: bigint;
  readonly decimals: number;
  readonly mintAuthority: AddressBytes | null;
  readonly freezeAuthority: AddressBytes | null;
  readonly updateAuthority: AddressBytes;
  /** The Token Metadata account; null where the mint carries its metadata itself, or has none. */
  readonly metadata: TokenMetadata | null;
  readonly extensions: readonly ExtensionEntry[];
  /** Whether the mint's own metadata, if any, can be changed. */
  readonly mutable: boolean;
  readonly additionalMetadata: readonly (readonly [string, string])[];
  readonly edition: Edition | null;
  /** Owner of the only unit; null for fungibles. */
  readonly owner: AddressBytes | null;
  readonly isCollection: boolean;
  readonly burnt: boolean;
}

export interface TokenMetadata extends Omit<
  MetadataFields,
  "mint" | "name" | "symbol" | "uri" | "updateAuthority"
> {
  readonly address: AddressBytes;
}

export type Edition = { readonly address: AddressBytes } & (
  | { readonly kind: "master"; readonly maxSupply: bigint | null; readonly numbers: readonly number[] }
  | { readonly kind: "print"; readonly parent: AddressBytes; readonly number: number }
);

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

export interface LeafAsset {
  readonly type: "leaf";
  readonly id: AddressBytes;
  readonly content: Content;
  readonly tree: AddressBytes;
  readonly nonce: number;
  readonly held: Held;
  readonly burnt: boolean;
}
