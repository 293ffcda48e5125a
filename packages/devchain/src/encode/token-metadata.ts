import { ByteWriter } from "./byte-writer.ts";

export interface MetadataFields {
  readonly updateAuthority: Uint8Array;
  readonly mint: Uint8Array;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly basisPoints: number;
  readonly creators: readonly {
    readonly address: Uint8Array;
    readonly verified: boolean;
    readonly share: number;
  }[];
  readonly primarySaleHappened: boolean;
  readonly mutable: boolean;
  readonly editionNonce: number | null;
  /** 0 NonFungible, 1 FungibleAsset, 2 Fungible, 3 NonFungibleEdition, 4 ProgrammableNonFungible; null on old accounts. */
  readonly tokenStandard: number | null;
  readonly collection: { readonly address: Uint8Array; readonly verified: boolean } | null;
  readonly uses: { readonly method: 0 | 1 | 2; readonly remaining: bigint; readonly total: bigint } | null;
  /** Number of members the parent NFT of a collection claims; null for everything else. */
  readonly collectionSize: bigint | null;
  /** Present on programmable NFTs; `ruleSet` may still be none. */
  readonly programmable: { readonly ruleSet: Uint8Array | null } | null;
}

/** Accounts made before sizes were trimmed, and those made since. */
export type MetadataSize = 679 | 607;

/** Metadata: text padded with NUL as the program stores it, the rest zero. */
export const encodeMetadata = (metadata: MetadataFields, size: MetadataSize): Uint8Array => {
  const writer = new ByteWriter().u8(4).bytes(metadata.updateAuthority).bytes(metadata.mint);
  writer.text(metadata.name, 32).text(metadata.symbol, 10).text(metadata.uri, 200);
  writer.u16(metadata.basisPoints);
  writer.option(metadata.creators.length === 0 ? null : metadata.creators, (creators, to) => {
    to.u32(creators.length);
    for (const creator of creators) to.bytes(creator.address).u8(creator.verified).u8(creator.share);
  });
  writer.u8(metadata.primarySaleHappened).u8(metadata.mutable);
  writer.option(metadata.editionNonce, (nonce, to) => to.u8(nonce));
  writer.option(metadata.tokenStandard, (standard, to) => to.u8(standard));
  writer.option(metadata.collection, (collection, to) =>
    to.u8(collection.verified).bytes(collection.address),
  );
  writer.option(metadata.uses, (uses, to) => to.u8(uses.method).u64(uses.remaining).u64(uses.total));
  writer.option(metadata.collectionSize, (members, to) => to.u8(0).u64(members));
  writer.option(metadata.programmable, (config, to) =>
    to.u8(0).option(config.ruleSet, (ruleSet, inner) => inner.bytes(ruleSet)),
  );
  return writer.finish(size);
};

/** A master edition, 282 bytes; `maxSupply` null = unlimited. The last byte repeats a programmable token standard. */
export const encodeMasterEdition = (
  supply: bigint,
  maxSupply: bigint | null,
  programmable: boolean,
): Uint8Array => {
  const bytes = new ByteWriter()
    .u8(6)
    .u64(supply)
    .option(maxSupply, (max, to) => to.u64(max))
    .finish(282);
  if (programmable) bytes[281] = 4;
  return bytes;
};

/** A print, 241 bytes. `parent` is the master edition account, not its mint. */
export const encodeEdition = (parent: Uint8Array, number: bigint): Uint8Array =>
  new ByteWriter().u8(1).bytes(parent).u64(number).finish(241);

/** Marks which of the 248 numbers from `248 * index` on are printed. */
export const encodeEditionMarker = (numbers: Iterable<number>): Uint8Array => {
  const bytes = new ByteWriter().u8(7).finish(32);
  for (const number of numbers) {
    const bit = number % 248;
    bytes[1 + (bit >> 3)] = (bytes[1 + (bit >> 3)] ?? 0) | (1 << (7 - (bit % 8)));
  }
  return bytes;
};

/** Lock state of a programmable NFT's token account, 80 bytes. */
export const encodeTokenRecord = (bump: number, locked: boolean, delegate: Uint8Array | null): Uint8Array =>
  new ByteWriter()
    .u8(11)
    .u8(bump)
    .u8(locked ? 1 : 0)
    .option(null, () => {})
    .option(delegate, (key, to) => to.bytes(key))
    .option(delegate === null ? null : 3, (role, to) => to.u8(role))
    .option(null, () => {})
    .finish(80);

/** The data that remains while the fees of a closed account are not collected. */
export const emptiedMetadata: Uint8Array = Uint8Array.of(0);
