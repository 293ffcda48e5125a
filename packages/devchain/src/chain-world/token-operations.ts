import { programAddresses, sameBytes } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { draftOf, tombstoneOf } from "../draft.ts";
import { emptiedMetadata, encodeEditionMarker } from "../encode/token-metadata.ts";
import { editionSeed, markerSeed } from "../world.ts";
import { readBasisPoints, readContent, readCreators } from "./content.ts";
import type { WorldContext } from "./world-context.ts";
import { closeHolding, findHolding, getHolding, putHolding, type TokenHolding } from "./holdings.ts";
import { invalid, readAddress, readU64 } from "../input.ts";
import type { HoldingChoice, UpdateInput } from "./mint-input.ts";
import { countMember, draftPrint, metadataAddressOf } from "./mint-token.ts";
import { putAsset } from "./registry.ts";
import { writeEdition, writeMetadata, writeMint, writeToken } from "./token-assets.ts";
import type { TokenAsset } from "./minted.ts";

export const transferToken = (
  context: WorldContext,
  asset: TokenAsset,
  to: AddressBytes,
  choice: HoldingChoice,
): TokenAsset => {
  const { holding, amount } = chosen(context, asset, choice);
  if (holding.frozen) throw invalid("from", "is frozen; thaw it first");
  if (sameBytes(holding.owner, to)) return asset;
  const left = holding.amount - amount;
  putHolding(context, asset, holding.owner, { amount: left });
  const received = findHolding(context, asset, to)?.amount ?? 0n;
  putHolding(context, asset, to, { amount: received + amount });
  if (asset.kind === "programmable-nft") closeHolding(context, asset, { ...holding, amount: 0n });
  return asset.owner === null ? asset : putAsset(context.journal, { ...asset, owner: to });
};

export const delegateToken = (
  context: WorldContext,
  asset: TokenAsset,
  delegate: AddressBytes | null,
  choice: HoldingChoice,
): TokenAsset => {
  const { holding } = chosen(context, asset, { ...choice, amount: 0n });
  const delegatedAmount = delegate === null ? 0n : readU64(choice.amount ?? holding.amount, "amount");
  putHolding(context, asset, holding.owner, { delegate, delegatedAmount });
  return asset;
};

export const freezeToken = (
  context: WorldContext,
  asset: TokenAsset,
  frozen: boolean,
  choice: HoldingChoice,
): TokenAsset => {
  if (asset.freezeAuthority === null)
    throw invalid("freezeAuthority", "of this mint is null: nobody can freeze");
  const { holding } = chosen(context, asset, { ...choice, amount: 0n });
  putHolding(context, asset, holding.owner, { frozen });
  return asset;
};

export const mintAmount = (
  context: WorldContext,
  asset: TokenAsset,
  to: AddressBytes,
  amount: bigint,
): TokenAsset => {
  if (asset.kind !== "fungible") throw invalid("kind", 'must be "fungible" to mint more');
  if (asset.mintAuthority === null) throw invalid("mintAuthority", "of this mint is null: nobody can mint");
  const supply = readU64(asset.supply + amount, "amount");
  const held = findHolding(context, asset, to)?.amount ?? 0n;
  putHolding(context, asset, to, { amount: held + amount });
  return writeMint(context, { ...asset, supply });
};

/** Burns an amount of a fungible, and all of anything else. */
export const burnToken = (context: WorldContext, asset: TokenAsset, choice: HoldingChoice): TokenAsset => {
  const { holding, amount } = chosen(context, asset, choice);
  if (asset.kind === "fungible") {
    putHolding(context, asset, holding.owner, { amount: holding.amount - amount });
    return writeMint(context, { ...asset, supply: asset.supply - amount });
  }
  closeHolding(context, asset, holding);
  const { metadata, edition } = asset;
  if (metadata !== null) {
    context.write(draftOf(metadata.address, programAddresses.tokenMetadata, emptiedMetadata));
    if (metadata.collection?.verified === true) countMember(context, metadata.collection.address, -1n);
  }
  const burnt = writeMint(context, { ...asset, supply: 0n, owner: null, burnt: true });
  if (edition !== null) context.write(tombstoneOf(edition.address));
  return burnt;
};

/** Closes an empty token account. */
export const closeToken = (context: WorldContext, asset: TokenAsset, owner: AddressBytes): TokenAsset => {
  const holding = getHolding(context, asset, owner);
  if (holding.amount > 0n)
    throw invalid("from", `still holds ${holding.amount}; only empty accounts can be closed`);
  closeHolding(context, asset, holding);
  return asset;
};

export const verifyTokenCreator = (
  context: WorldContext,
  asset: TokenAsset,
  creator: AddressBytes,
  verified: boolean,
): TokenAsset => {
  const metadata = metadataOf(asset);
  const creators = metadata.creators.map((each) =>
    sameBytes(each.address, creator) ? { ...each, verified } : each,
  );
  return writeMetadata(context, { ...asset, metadata: { ...metadata, creators } });
};

export const verifyTokenCollection = (
  context: WorldContext,
  asset: TokenAsset,
  verified: boolean,
): TokenAsset => {
  const metadata = metadataOf(asset);
  const { collection } = metadata;
  if (collection === null) throw invalid("collection", "is not set on this asset");
  if (collection.verified === verified) return asset;
  countMember(context, collection.address, verified ? 1n : -1n);
  const next = { ...metadata, collection: { ...collection, verified } };
  return writeMetadata(context, { ...asset, metadata: next });
};

export const setTokenCollection = (
  context: WorldContext,
  asset: TokenAsset,
  collection: AddressBytes | null,
): TokenAsset => {
  const metadata = metadataOf(asset);
  if (metadata.collection?.verified === true) countMember(context, metadata.collection.address, -1n);
  if (collection !== null) countMember(context, collection, 1n);
  const next = {
    ...metadata,
    collection: collection === null ? null : { address: collection, verified: true },
  };
  return writeMetadata(context, { ...asset, metadata: next });
};

export const updateToken = (context: WorldContext, asset: TokenAsset, input: UpdateInput): TokenAsset => {
  const content = readContent(context, input, asset.content, asset.content);
  const updateAuthority =
    input.updateAuthority === undefined
      ? asset.updateAuthority
      : readAddress(input.updateAuthority, "updateAuthority");
  const mutable = input.mutable ?? asset.mutable;
  const { metadata } = asset;
  if (metadata === null && input.creators !== undefined)
    throw invalid("creators", "are not kept by the Token-2022 program");
  const next =
    metadata === null
      ? null
      : {
          ...metadata,
          basisPoints: readBasisPoints(input.sellerFeeBasisPoints, metadata.basisPoints),
          creators:
            input.creators === undefined ? metadata.creators : readCreators(input.creators, updateAuthority),
          primarySaleHappened: input.primarySaleHappened ?? metadata.primarySaleHappened,
          mutable,
        };
  return writeMetadata(context, { ...asset, content, updateAuthority, mutable, metadata: next });
};

/** The next print of a master edition, or one of that number. */
export const printToken = (
  context: WorldContext,
  asset: TokenAsset,
  owner: AddressBytes,
  wanted: number | undefined,
): TokenAsset => {
  const { edition } = asset;
  if (edition?.kind !== "master") throw invalid("kind", "must be an nft with maxSupply to be printed");
  const number = wanted ?? Math.max(0, ...edition.numbers) + 1;
  if (edition.numbers.includes(number)) throw invalid("number", `${number} is printed already`);
  if (edition.maxSupply !== null && BigInt(edition.numbers.length) >= edition.maxSupply)
    throw invalid("maxSupply", `of ${edition.maxSupply} is reached`);
  const numbers = [...edition.numbers, number];
  const printed = { ...asset, edition: { ...edition, numbers } };
  writeEdition(context, printed);
  putAsset(context.journal, printed);
  writeMarker(context, asset.id, numbers, number);
  const print = writeToken(context, draftPrint(context, printed, number, owner));
  putHolding(context, print, owner, { amount: 1n });
  return print;
};

/** Numbers that one marker account covers. */
const NUMBERS_PER_MARKER = 248;

const writeMarker = (
  context: WorldContext,
  mint: AddressBytes,
  numbers: readonly number[],
  number: number,
): void => {
  const index = Math.floor(number / NUMBERS_PER_MARKER);
  const inside = numbers.filter((one) => Math.floor(one / NUMBERS_PER_MARKER) === index);
  const { address } = metadataAddressOf(mint, editionSeed, markerSeed(index));
  context.write(draftOf(address, programAddresses.tokenMetadata, encodeEditionMarker(inside)));
};

const metadataOf = ({ metadata }: TokenAsset) => {
  if (metadata === null) throw invalid("kind", "has no Token Metadata account");
  return metadata;
};

const chosen = (
  context: WorldContext,
  asset: TokenAsset,
  choice: HoldingChoice,
): { readonly holding: TokenHolding; readonly amount: bigint } => {
  const owner = choice.from === undefined ? asset.owner : readAddress(choice.from, "from");
  if (owner === null) throw invalid("from", "must name the owner of the tokens");
  const holding = getHolding(context, asset, owner);
  if (choice.amount === undefined && asset.kind === "fungible")
    throw invalid("amount", "must be given, in raw units");
  const amount = readU64(choice.amount ?? 1n, "amount");
  if (amount > holding.amount) throw invalid("amount", `is ${amount}, and only ${holding.amount} are held`);
  return { holding, amount };
};
