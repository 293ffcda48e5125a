import { programAddresses, sameBytes } from "@lamplight/codecs";
import type { Account, Instruction } from "@lamplight/core";
import * as bubblegum from "@metaplex-foundation/mpl-bubblegum";
import * as mplCore from "@metaplex-foundation/mpl-core";
import * as tokenMetadata from "@metaplex-foundation/mpl-token-metadata";
import { type PublicKey, publicKey, type RpcAccount, sol } from "@metaplex-foundation/umi";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";

// Decoding as the programs' own libraries do it. Serializers are made once, which is to their favour: their
// `deserialize…` functions make one for every account.

/** Decodes one account or instruction; what it decodes is thrown away. */
export type Decode = () => unknown;

const metadataSerializers = new Map<number, { deserialize(data: Uint8Array): unknown }>([
  [1, tokenMetadata.getEditionAccountDataSerializer()],
  [2, tokenMetadata.getDeprecatedMasterEditionV1AccountDataSerializer()],
  [4, tokenMetadata.getMetadataAccountDataSerializer()],
  [6, tokenMetadata.getMasterEditionAccountDataSerializer()],
  [7, tokenMetadata.getEditionMarkerAccountDataSerializer()],
  [8, tokenMetadata.getUseAuthorityRecordAccountDataSerializer()],
  [9, tokenMetadata.getCollectionAuthorityRecordAccountDataSerializer()],
  [11, tokenMetadata.getTokenRecordAccountDataSerializer()],
  [12, tokenMetadata.getMetadataDelegateRecordAccountDataSerializer()],
  [13, tokenMetadata.getEditionMarkerV2AccountDataSerializer()],
]);

const tokenMint = token.getMintDecoder();
const tokenHolding = token.getTokenDecoder();
const token2022Mint = token2022.getMintDecoder();
const token2022Holding = token2022.getTokenDecoder();

const MINT_BYTES = 82;
const HOLDING_BYTES = 165;
/** In Token-2022 accounts longer than a plain one, behind it: 1 = mint, 2 = token account. */
const isMint = (data: Uint8Array): boolean =>
  data.length > HOLDING_BYTES ? data[HOLDING_BYTES] === 1 : data.length === MINT_BYTES;

/** The decoder of the library for an account; null where it has none, or fails on these very bytes. */
export const officialAccountDecoder = (account: Account): Decode | null => working(accountDecoder(account));

const accountDecoder = ({ programOwner, address, data }: Account): Decode | null => {
  if (sameBytes(programOwner, programAddresses.token)) {
    const decoder = isMint(data) ? tokenMint : tokenHolding;
    return () => decoder.decode(data);
  }
  if (sameBytes(programOwner, programAddresses.token2022)) {
    const decoder = isMint(data) ? token2022Mint : token2022Holding;
    return () => decoder.decode(data);
  }
  if (sameBytes(programOwner, programAddresses.tokenMetadata)) {
    const serializer = metadataSerializers.get(data[0] ?? 0);
    return serializer === undefined ? null : () => serializer.deserialize(data);
  }
  const account = rpcAccount(address, programOwner, data);
  if (data[0] === 1) return () => mplCore.deserializeAssetV1(account);
  if (data[0] === 5) return () => mplCore.deserializeCollectionV1(account);
  return null;
};

const rpcAccount = (address: Uint8Array, programOwner: Uint8Array, data: Uint8Array): RpcAccount => ({
  publicKey: publicKey(address),
  owner: publicKey(programOwner) as PublicKey,
  data,
  executable: false,
  lamports: sol(0),
});

type BubblegumSerializers = Record<string, () => { deserialize(data: Uint8Array): unknown }>;

/** The library's names of the instructions that our table names as the program does. */
const officialNames: Readonly<Record<string, string>> = {
  mint_to_collection_v1: "MintToCollectionV1",
  mint_v1: "MintV1",
  set_and_verify_collection: "SetAndVerifyCollection",
  decompress_v1: "DecompressV1",
};

const camelCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/gu, (_, letter: string) => letter.toUpperCase());

/** The library's decoder of a Bubblegum instruction, by the program's name of it. */
export const officialInstructionDecoder = (name: string, { data }: Instruction): Decode | null => {
  const official = officialNames[name] ?? camelCase(name);
  const create = (bubblegum as unknown as BubblegumSerializers)[`get${official}InstructionDataSerializer`];
  if (create === undefined) return null;
  const serializer = create();
  return working(() => serializer.deserialize(data));
};

const leafSchema = bubblegum.getLeafSchemaSerializer();
/** Kind of event, version, length and kind of what follows: as the library's own `parseLeafFrom…` skip them. */
const LEAF_EVENT_HEAD_BYTES = 8;

export const officialLeafDecoder = ({ data }: Instruction): Decode | null => {
  const schema = data.subarray(LEAF_EVENT_HEAD_BYTES);
  return working(() => leafSchema.deserialize(schema));
};

const working = (decode: Decode | null): Decode | null => {
  if (decode === null) return null;
  try {
    decode();
    return decode;
  } catch {
    return null;
  }
};
