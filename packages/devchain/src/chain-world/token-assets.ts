import { programAddresses } from "@lamplight/codecs";
import { draftOf } from "../draft.ts";
import { encodeMint } from "../encode/token.ts";
import { type ExtensionEntry, encodeMint2022 } from "../encode/token-2022.ts";
import { encodeEdition, encodeMasterEdition, encodeMetadata } from "../encode/token-metadata.ts";
import type { WorldContext } from "./world-context.ts";
import { putAsset } from "./registry.ts";
import type { TokenAsset } from "./minted.ts";

/** Writes the mint, its metadata and its edition as they are now. */
export const writeToken = (context: WorldContext, asset: TokenAsset): TokenAsset => {
  writeMint(context, asset);
  writeMetadata(context, asset);
  writeEdition(context, asset);
  return putAsset(context.journal, asset);
};

export const writeMint = (context: WorldContext, asset: TokenAsset): TokenAsset => {
  const { id, program, supply, decimals, mintAuthority, freezeAuthority } = asset;
  const mint = { supply, decimals, mintAuthority, freezeAuthority };
  const isToken2022 = program === programAddresses.token2022;
  const data = isToken2022
    ? encodeMint2022(mint, [...asset.extensions, ...ownMetadata(asset)])
    : encodeMint(mint);
  context.write(draftOf(id, program, data));
  return putAsset(context.journal, asset);
};

export const writeMetadata = (context: WorldContext, asset: TokenAsset): TokenAsset => {
  const { metadata, content, updateAuthority } = asset;
  if (metadata !== null) {
    const { name, symbol, uri } = content;
    const fields = { ...metadata, mint: asset.id, name, symbol, uri, updateAuthority };
    context.write(draftOf(metadata.address, programAddresses.tokenMetadata, encodeMetadata(fields, 607)));
  } else if (asset.program === programAddresses.token2022) writeMint(context, asset);
  return putAsset(context.journal, asset);
};

export const writeEdition = (context: WorldContext, { edition, kind }: TokenAsset): void => {
  if (edition === null) return;
  const data =
    edition.kind === "master"
      ? encodeMasterEdition(BigInt(edition.numbers.length), edition.maxSupply, kind === "programmable-nft")
      : encodeEdition(edition.parent, BigInt(edition.number));
  context.write(draftOf(edition.address, programAddresses.tokenMetadata, data));
};

/** Pointer and metadata of a Token-2022 mint that describes itself. */
const ownMetadata = (asset: TokenAsset): readonly ExtensionEntry[] => {
  const { content, metadata, mutable, updateAuthority, id } = asset;
  if (metadata !== null || content.name === "") return [];
  const { name, symbol, uri } = content;
  const authority = mutable ? updateAuthority : null;
  return [
    { name: "metadataPointer", fields: { authority, metadataAddress: id } },
    {
      name: "tokenMetadata",
      updateAuthority: authority,
      mint: id,
      texts: { name, symbol, uri },
      additional: asset.additionalMetadata,
    },
  ];
};
