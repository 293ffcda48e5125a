import { BorshReader } from "../borsh/borsh-reader.ts";
import { BorshWriter } from "../borsh/borsh-writer.ts";

const CREATOR_BYTES = 34;

export interface LeafCreator {
  readonly address: Uint8Array;
  readonly verified: boolean;
  /** Percent. */
  readonly share: number;
}

export interface LeafCollection {
  readonly address: Uint8Array;
  readonly verified: boolean;
}

export interface LeafUses {
  /** 0 burn, 1 multiple, 2 single. */
  readonly method: number;
  readonly remaining: bigint;
  readonly total: bigint;
}

interface LeafMetadataBase {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly basisPoints: number;
  readonly primarySaleHappened: boolean;
  readonly mutable: boolean;
  /** 0 NonFungible, 1 FungibleAsset, 2 Fungible, 3 NonFungibleEdition; null when unset. */
  readonly tokenStandard: number | null;
  readonly creators: readonly LeafCreator[];
  /** V2 metadata are always verified: the bytes carry no flag. */
  readonly collection: LeafCollection | null;
  /** The very bytes it was read from, which need no writing to be hashed; absent once anything is changed. */
  readonly encoded?: Uint8Array | undefined;
}

export interface LeafMetadataV1 extends LeafMetadataBase {
  readonly version: 1;
  readonly editionNonce: number | null;
  readonly uses: LeafUses | null;
  /** 0 original, 1 Token-2022. */
  readonly tokenProgramVersion: number;
}

export interface LeafMetadataV2 extends LeafMetadataBase {
  readonly version: 2;
}

/** Facts about an asset in minting and metadata-changing instructions, as the program hashes them. */
export type LeafMetadata = LeafMetadataV1 | LeafMetadataV2;

/** Members to replace; null = keep. */
export interface MetadataUpdate {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly uri: string | null;
  readonly creators: readonly LeafCreator[] | null;
  readonly basisPoints: number | null;
  readonly primarySaleHappened: boolean | null;
  readonly mutable: boolean | null;
}

export const readMetadataV1 = (reader: BorshReader): LeafMetadataV1 => {
  const start = reader.offset;
  const base = {
    version: 1 as const,
    name: reader.text(),
    symbol: reader.text(),
    uri: reader.text(),
    basisPoints: reader.u16(),
    primarySaleHappened: reader.bool(),
    mutable: reader.bool(),
    editionNonce: readU8Option(reader),
    tokenStandard: readU8Option(reader),
    collection: reader.bool() ? { verified: reader.bool(), address: reader.key() } : null,
    uses: reader.bool() ? { method: reader.u8(), remaining: reader.u64(), total: reader.u64() } : null,
    tokenProgramVersion: reader.u8(),
    creators: readCreators(reader),
    encoded: noBytes,
  };
  base.encoded = reader.since(start);
  return base;
};

export const readMetadataV2 = (reader: BorshReader): LeafMetadataV2 => {
  const start = reader.offset;
  const base = {
    version: 2 as const,
    name: reader.text(),
    symbol: reader.text(),
    uri: reader.text(),
    basisPoints: reader.u16(),
    primarySaleHappened: reader.bool(),
    mutable: reader.bool(),
    tokenStandard: readU8Option(reader),
    creators: readCreators(reader),
    collection: reader.bool() ? { verified: true, address: reader.key() } : null,
    encoded: noBytes,
  };
  base.encoded = reader.since(start);
  return base;
};

const noBytes: Uint8Array = new Uint8Array(0);

const readU8Option = (reader: BorshReader): number | null => (reader.bool() ? reader.u8() : null);

export const readMetadataUpdate = (reader: BorshReader): MetadataUpdate => ({
  name: reader.option(() => reader.text()),
  symbol: reader.option(() => reader.text()),
  uri: reader.option(() => reader.text()),
  creators: reader.option(() => readCreators(reader)),
  basisPoints: reader.option(() => reader.u16()),
  primarySaleHappened: reader.option(() => reader.bool()),
  mutable: reader.option(() => reader.bool()),
});

const writer = new BorshWriter();

/**
 * The bytes that the program hashes: equal to the instruction argument when nothing was changed. A view, valid until
 * the next call.
 */
export const encodeMetadata = (metadata: LeafMetadata): Uint8Array => {
  writer.clear();
  writer.text(metadata.name).text(metadata.symbol).text(metadata.uri).u16(metadata.basisPoints);
  writer.bool(metadata.primarySaleHappened).bool(metadata.mutable);
  const creators = (): unknown =>
    writer.list(metadata.creators, ({ address, verified, share }) =>
      writer.bytes(address).bool(verified).u8(share),
    );
  if (metadata.version === 2) {
    writer.option(metadata.tokenStandard, (standard) => writer.u8(standard));
    creators();
    return writer.option(metadata.collection, ({ address }) => writer.bytes(address)).finish();
  }
  writer.option(metadata.editionNonce, (nonce) => writer.u8(nonce));
  writer.option(metadata.tokenStandard, (standard) => writer.u8(standard));
  writer.option(metadata.collection, ({ verified, address }) => writer.bool(verified).bytes(address));
  writer.option(metadata.uses, ({ method, remaining, total }) => writer.u8(method).u64(remaining).u64(total));
  writer.u8(metadata.tokenProgramVersion);
  creators();
  return writer.finish();
};

const readCreators = (reader: BorshReader): LeafCreator[] =>
  reader.list(CREATOR_BYTES, () => ({ address: reader.key(), verified: reader.bool(), share: reader.u8() }));
