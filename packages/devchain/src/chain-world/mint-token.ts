import {
  extensionLayouts,
  findProgramAddress,
  type FixedExtensionName,
  programAddresses,
} from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import type { ExtensionFields } from "../encode/extension.ts";
import type { ExtensionEntry } from "../encode/token-2022.ts";
import { editionSeed } from "../world.ts";
import { type Content, readBasisPoints, readContent, readCreators } from "./content.ts";
import type { WorldContext } from "./world-context.ts";
import { putHolding } from "./holdings.ts";
import { type AddressLike, invalid, readAddress, readU64, readWhole } from "../input.ts";
import type { CollectionInput, ExtensionsInput, MintInput } from "./mint-input.ts";
import { findAsset } from "./registry.ts";
import { writeMetadata, writeMint, writeToken } from "./token-assets.ts";
import type { Edition, TokenAsset, TokenKind, TokenMetadata } from "./minted.ts";

const metadataSeed = new TextEncoder().encode("metadata");

const tokenStandards = { nft: 0, fungibleAsset: 1, fungible: 2, print: 3, "programmable-nft": 4 } as const;

export const metadataAddressOf = (mint: AddressBytes, ...seeds: readonly Uint8Array[]) =>
  findProgramAddress(
    [metadataSeed, programAddresses.tokenMetadata, mint, ...seeds],
    programAddresses.tokenMetadata,
  );

/**
 * Mints a token of any kind, with its owner's holding.
 *
 * @param id - of an asset that leaves its tree; default a new address
 */
export const mintToken = (context: WorldContext, input: MintInput, id = context.newAddress()): TokenAsset => {
  const owner = input.owner === undefined ? context.authority() : readAddress(input.owner, "owner");
  const draft =
    input.kind === "fungible"
      ? draftFungible(context, input, id)
      : input.kind === "token-2022"
        ? draftToken2022(context, input, id)
        : draftNft(context, input, input.kind as "nft" | "programmable-nft", id);
  const isSingle = input.kind !== "fungible";
  const asset = writeToken(context, { ...draft, owner: isSingle ? owner : null });
  if (input.collection !== undefined && asset.metadata?.collection?.verified === true)
    countMember(context, asset.metadata.collection.address, 1n);
  const delegate = input.delegate === undefined ? null : readAddress(input.delegate, "delegate");
  putHolding(context, asset, owner, {
    amount: asset.supply,
    delegate,
    delegatedAmount: delegate === null ? 0n : asset.supply,
    ...(input.frozen === undefined ? {} : { frozen: input.frozen }),
  });
  return asset;
};

/** A collection NFT of Token Metadata. */
export const createNftCollection = (context: WorldContext, input: CollectionInput): TokenAsset => {
  const { plugins: _, maxSize: __, kind: ___, ...rest } = input;
  const asset = mintToken(context, { ...rest, kind: "nft" });
  return writeMetadata(context, {
    ...asset,
    isCollection: true,
    metadata: { ...asset.metadata!, collectionSize: 0n },
  });
};

const MAX_SIZE_DEFAULT = 10_000;

/** A Token-2022 mint that stands for a group of others. */
export const createTokenGroup = (context: WorldContext, input: CollectionInput): TokenAsset => {
  const { plugins: _, maxSize = MAX_SIZE_DEFAULT, kind: __, ...rest } = input;
  const id = context.newAddress();
  const updateAuthority = authorityOf(context, rest);
  const asset = mintToken(context, { ...rest, kind: "token-2022" }, id);
  const group: ExtensionEntry[] = [
    { name: "groupPointer", fields: { authority: updateAuthority, groupAddress: id } },
    {
      name: "tokenGroup",
      fields: { updateAuthority, mint: id, size: 0, maxSize: readWhole(maxSize, "maxSize", 1, 2 ** 32 - 1) },
    },
  ];
  return writeMint(context, { ...asset, isCollection: true, extensions: [...asset.extensions, ...group] });
};

/** Adds to the number of members that a sized collection keeps. */
export const countMember = (context: WorldContext, collection: AddressBytes, by: bigint): void => {
  const found = findAsset(context.journal, collection);
  const size = found?.type === "token" ? (found.metadata?.collectionSize ?? null) : null;
  if (found?.type !== "token" || size === null) return;
  writeMetadata(context, { ...found, metadata: { ...found.metadata!, collectionSize: size + by } });
};

const authorityOf = (context: WorldContext, input: Pick<MintInput, "updateAuthority">): AddressBytes =>
  input.updateAuthority === undefined
    ? context.authority()
    : readAddress(input.updateAuthority, "updateAuthority");

const base = (
  context: WorldContext,
  input: MintInput,
  id: AddressBytes,
  content: Content,
): Omit<TokenAsset, "kind" | "program" | "supply" | "decimals" | "mintAuthority" | "freezeAuthority"> => ({
  type: "token",
  id,
  content,
  updateAuthority: authorityOf(context, input),
  metadata: null,
  extensions: [],
  mutable: input.mutable ?? true,
  additionalMetadata: Object.entries(input.additionalMetadata ?? {}),
  edition: null,
  owner: null,
  isCollection: false,
  burnt: false,
});

const draftNft = (
  context: WorldContext,
  input: MintInput,
  kind: "nft" | "programmable-nft",
  id: AddressBytes,
): TokenAsset => {
  const content = readContent(context, input, { name: "NFT", symbol: "NFT" });
  const edition = metadataAddressOf(id, editionSeed);
  return {
    ...base(context, input, id, content),
    kind,
    program: programAddresses.token,
    supply: 1n,
    decimals: 0,
    // Only the edition may mint or freeze from here on: that is what makes it one of a kind.
    mintAuthority: edition.address,
    freezeAuthority: edition.address,
    edition: {
      kind: "master",
      address: edition.address,
      maxSupply: input.maxSupply === null ? null : readU64(input.maxSupply ?? 0, "maxSupply"),
      numbers: [],
    },
    metadata: metadataOf(context, input, id, kind, edition.bump),
  };
};

/** The print of a master edition, of its creators and content. */
export const draftPrint = (
  context: WorldContext,
  master: TokenAsset & { readonly edition: Edition },
  number: number,
  owner: AddressBytes,
): TokenAsset => {
  const id = context.newAddress();
  const edition = metadataAddressOf(id, editionSeed);
  return {
    ...master,
    kind: "print",
    id,
    owner,
    mintAuthority: edition.address,
    freezeAuthority: edition.address,
    isCollection: false,
    edition: { kind: "print", address: edition.address, parent: master.edition.address, number },
    metadata: {
      ...master.metadata!,
      address: metadataAddressOf(id).address,
      editionNonce: edition.bump,
      tokenStandard: tokenStandards.print,
      collectionSize: null,
    },
  };
};

const metadataOf = (
  context: WorldContext,
  input: MintInput,
  id: AddressBytes,
  kind: "nft" | "programmable-nft" | "fungible" | "fungibleAsset",
  editionNonce: number,
): TokenMetadata => {
  const isFungible = kind === "fungible" || kind === "fungibleAsset";
  const authority = authorityOf(context, input);
  const useMethods = { burn: 0, multiple: 1, single: 2 } as const;
  const ruleSet = input.ruleSet === undefined ? null : readAddress(input.ruleSet, "ruleSet");
  return {
    address: metadataAddressOf(id).address,
    basisPoints: readBasisPoints(input.sellerFeeBasisPoints, isFungible ? 0 : 500),
    creators: isFungible && input.creators === undefined ? [] : readCreators(input.creators, authority),
    primarySaleHappened: input.primarySaleHappened ?? false,
    mutable: input.mutable ?? true,
    editionNonce,
    tokenStandard: tokenStandards[kind],
    collection:
      input.collection === undefined
        ? null
        : { address: nftCollection(context, input.collection), verified: input.collectionVerified ?? true },
    uses:
      input.uses === undefined
        ? null
        : {
            method: useMethods[input.uses.method],
            remaining: readU64(input.uses.remaining, "uses.remaining"),
            total: readU64(input.uses.total, "uses.total"),
          },
    collectionSize: null,
    programmable: kind === "programmable-nft" ? { ruleSet } : null,
  };
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const nftCollection = (
  context: WorldContext,
  given: NonNullable<MintInput["collection"]>,
): AddressBytes => {
  const address = readAddress(given, "collection");
  const found = findAsset(context.journal, address);
  if (found?.type === "token" && found.isCollection && found.metadata !== null) return address;
  throw invalid("collection", 'must be a collection of kind "nft" on this chain');
};

const draftToken2022 = (context: WorldContext, input: MintInput, id: AddressBytes): TokenAsset => ({
  ...base(context, input, id, readContent(context, input, { name: "Token-2022 NFT", symbol: "NFT" })),
  kind: "token-2022",
  program: programAddresses.token2022,
  supply: 1n,
  decimals: 0,
  mintAuthority: null,
  freezeAuthority: authorityOf(context, input),
  extensions: [...readExtensions(input.extensions), ...membership(context, input, id)],
});

/** Makes the mint a member of a token group. */
const membership = (context: WorldContext, input: MintInput, id: AddressBytes): readonly ExtensionEntry[] => {
  if (input.collection === undefined) return [];
  const group = readAddress(input.collection, "collection");
  const found = findAsset(context.journal, group);
  const own =
    found?.type === "token" ? found.extensions.find(({ name }) => name === "tokenGroup") : undefined;
  if (found?.type !== "token" || own === undefined || !("fields" in own))
    throw invalid("collection", 'must be a collection of kind "token-2022" on this chain');
  const memberNumber = Number(own.fields["size"]) + 1;
  if (memberNumber > Number(own.fields["maxSize"])) throw invalid("collection", "has no room left");
  const grown = { ...own, fields: { ...own.fields, size: memberNumber } };
  writeMint(context, {
    ...found,
    extensions: found.extensions.map((one) => (one === own ? grown : one)),
  });
  return [
    { name: "groupMemberPointer", fields: { authority: authorityOf(context, input), memberAddress: id } },
    { name: "tokenGroupMember", fields: { mint: id, group, memberNumber } },
  ];
};

const draftFungible = (context: WorldContext, input: MintInput, id: AddressBytes): TokenAsset => {
  const decimals = readWhole(input.decimals ?? 6, "decimals", 0, 255);
  const content = readContent(context, input, { name: "Token", symbol: "TOKEN" });
  const authority = authorityOf(context, input);
  const chosen = (given: MintInput["mintAuthority"], property: string): AddressBytes | null =>
    given === undefined ? authority : given === null ? null : readAddress(given, property);
  const program = input.tokenProgram ?? (input.extensions === undefined ? "token" : "token-2022");
  if (program !== "token" && program !== "token-2022")
    throw invalid("tokenProgram", 'must be "token" or "token-2022"');
  const isClassic = program === "token";
  if (isClassic && input.extensions !== undefined)
    throw invalid("extensions", 'need tokenProgram "token-2022"');
  const standard = decimals === 0 ? "fungibleAsset" : "fungible";
  return {
    ...base(context, input, id, content),
    kind: "fungible" satisfies TokenKind,
    program: isClassic ? programAddresses.token : programAddresses.token2022,
    supply: readU64(input.supply ?? 1_000_000n * 10n ** BigInt(Math.min(decimals, 12)), "supply"),
    decimals,
    mintAuthority: chosen(input.mintAuthority, "mintAuthority"),
    freezeAuthority: chosen(input.freezeAuthority, "freezeAuthority"),
    extensions: readExtensions(input.extensions),
    metadata: isClassic
      ? metadataOf(context, input, id, standard, metadataAddressOf(id, editionSeed).bump)
      : null,
  };
};

const readExtensions = (given: ExtensionsInput = {}): readonly ExtensionEntry[] =>
  Object.entries(given).map(([name, fields]) => {
    const layout = Object.hasOwn(extensionLayouts, name)
      ? extensionLayouts[name as FixedExtensionName]
      : undefined;
    if (layout?.on !== "mint") throw invalid(`extensions.${name}`, "is no extension of a mint");
    const known: object = layout.fields ?? {};
    const values = fields === true ? {} : fields;
    for (const field of Object.keys(values))
      if (!Object.hasOwn(known, field)) throw invalid(`extensions.${name}.${field}`, "is no field of it");
    const read = Object.entries(values).map(([field, value]) => [
      field,
      isAddress(value) ? readAddress(value, `extensions.${name}.${field}`) : value,
    ]);
    return {
      name: name as FixedExtensionName,
      fields: Object.fromEntries(read) as ExtensionFields,
    };
  });

const isAddress = (value: unknown): value is AddressLike =>
  typeof value === "string" || (typeof value === "object" && value !== null && "address" in value);
