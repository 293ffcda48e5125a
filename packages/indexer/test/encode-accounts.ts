// Accounts of tests, encoded by the layouts of their programs.

import { editionAddress, findProgramAddress, metadataAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";

/** An address that is the same byte 32 times over: easy to distinguish, on no account of a program. */
export const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

export const account = (
  address: Uint8Array,
  programOwner: Uint8Array,
  data: ArrayLike<number>,
  slot: number,
): Account => ({
  address,
  programOwner,
  lamports: 1_000_000n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: Uint8Array.from(data),
  slot,
  writeVersion: 0,
});

/** The same account, closed. */
export const closedAt = (one: Account, slot: number): Account => ({
  ...one,
  programOwner: programAddresses.system,
  lamports: 0n,
  data: new Uint8Array(0),
  slot,
});

/** The same account with one zero byte left. */
export const emptiedAt = (one: Account, slot: number): Account => ({ ...one, data: Uint8Array.of(0), slot });

export const at = (one: Account, slot: number): Account => ({ ...one, slot });

const little = (value: bigint | number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 0xffn));
const u16 = (value: number): number[] => little(value, 2);
const u32 = (value: number): number[] => little(value, 4);
const u64 = (value: bigint | number): number[] => little(value, 8);
const text = (value: string): number[] => {
  const bytes = new TextEncoder().encode(value);
  return [...u32(bytes.length), ...bytes];
};
const option = (value: readonly number[] | null): number[] => (value === null ? [0] : [1, ...value]);
const wideOption = (value: Uint8Array | null): number[] =>
  value === null ? [...u32(0), ...key(0)] : [...u32(1), ...value];

export interface MintFields {
  readonly supply?: bigint;
  readonly decimals?: number;
  readonly mintAuthority?: Uint8Array | null;
  readonly freezeAuthority?: Uint8Array | null;
  /** Makes it a Token-2022 mint: entries of type and value. */
  readonly extensions?: readonly (readonly [type: number, value: readonly number[]])[];
}

export const mint = (address: Uint8Array, slot: number, fields: MintFields = {}): Account => {
  const { supply = 1n, decimals = 0, mintAuthority = null, freezeAuthority = null, extensions } = fields;
  const base = [...wideOption(mintAuthority), ...u64(supply), decimals, 1, ...wideOption(freezeAuthority)];
  if (extensions === undefined) return account(address, programAddresses.token, base, slot);
  const region = extensions.flatMap(([type, value]) => [...u16(type), ...u16(value.length), ...value]);
  const padding = Array.from({ length: 165 - base.length }, () => 0);
  return account(address, programAddresses.token2022, [...base, ...padding, 1, ...region], slot);
};

export interface HolderFields {
  readonly mint: Uint8Array;
  readonly owner: Uint8Array;
  readonly amount?: bigint;
  readonly delegate?: Uint8Array | null;
  readonly frozen?: boolean;
}

export const tokenAccount = (address: Uint8Array, slot: number, fields: HolderFields): Account => {
  const { amount = 1n, delegate = null, frozen = false } = fields;
  const state = frozen ? 2 : 1;
  const data = [...fields.mint, ...fields.owner, ...u64(amount), ...wideOption(delegate), state];
  return account(
    address,
    programAddresses.token,
    [...data, ...u32(0), ...u64(0), ...u64(delegate === null ? 0n : amount), ...wideOption(null)],
    slot,
  );
};

export interface MetadataFields {
  readonly mint: Uint8Array;
  readonly name?: string;
  readonly uri?: string;
  readonly standard?: number | null;
  readonly nonce?: number | null;
  readonly collection?: { readonly verified: boolean; readonly address: Uint8Array } | null;
  readonly creators?: readonly (readonly [address: Uint8Array, verified: boolean, share: number])[] | null;
  readonly uses?: { readonly method: number; readonly remaining: bigint; readonly total: bigint } | null;
}

/** A metadata account. Its nonce is that of the mint's real edition address unless `fields` has another. */
export const metadata = (slot: number, fields: MetadataFields): Account => {
  const {
    name = "Name",
    uri = "https://a.b/c",
    standard = 0,
    collection = null,
    creators = null,
    uses = null,
  } = fields;
  const nonce = fields.nonce === undefined ? editionNonce(fields.mint) : fields.nonce;
  const data = [
    4,
    ...key(200),
    ...fields.mint,
    ...text(name),
    ...text("SYM"),
    ...text(uri),
    ...u16(550),
    ...option(creators === null ? null : [...u32(creators.length), ...creators.flatMap(creatorBytes)]),
    1,
    1,
    ...option(nonce === null ? null : [nonce]),
    ...option(standard === null ? null : [standard]),
    ...option(collection === null ? null : [Number(collection.verified), ...collection.address]),
    ...option(uses === null ? null : [uses.method, ...u64(uses.remaining), ...u64(uses.total)]),
    0,
    0,
  ];
  return account(metadataAddress(fields.mint), programAddresses.tokenMetadata, data, slot);
};

const creatorBytes = ([address, verified, share]: readonly [Uint8Array, boolean, number]): number[] => [
  ...address,
  Number(verified),
  share,
];

/** The bump of the mint's edition address. */
const editionNonce = (mintAddress: Uint8Array): number => {
  const address = editionAddress(mintAddress, null);
  for (let nonce = 255; nonce >= 0; nonce -= 1) {
    if (Buffer.compare(editionAddress(mintAddress, nonce), address) === 0) return nonce;
  }
  throw new Error("a mint without an edition address");
};

export const masterEdition = (
  mintAddress: Uint8Array,
  slot: number,
  supply: bigint,
  max: bigint | null,
): Account =>
  account(
    editionAddress(mintAddress, null),
    programAddresses.tokenMetadata,
    [6, ...u64(supply), ...option(max === null ? null : u64(max))],
    slot,
  );

export const print = (mintAddress: Uint8Array, slot: number, parent: Uint8Array, number: bigint): Account =>
  account(
    editionAddress(mintAddress, null),
    programAddresses.tokenMetadata,
    [1, ...parent, ...u64(number)],
    slot,
  );

/** The address at which the inscriptions program keeps the record of a root. */
export const inscriptionAddress = (root: Uint8Array): Uint8Array =>
  findProgramAddress([new TextEncoder().encode("inscription_v3"), root], programAddresses.inscriptions)
    .address;

/** A record at its derived address. */
export const inscription = (root: Uint8Array, slot: number, contentType = "image/png"): Account => {
  const discriminator = [0xe8, 0x78, 0xcd, 0x2f, 0x99, 0xef, 0xe5, 0xe0];
  const head = [...discriminator, ...key(0), ...root, ...key(1), ...u64(2n ** 64n - 1n), ...u32(202)];
  const data = [...head, ...text(contentType), ...text("base64"), 0];
  return account(inscriptionAddress(root), programAddresses.inscriptions, data, slot);
};

export const coreCollection = (
  address: Uint8Array,
  slot: number,
  authority: Uint8Array,
  numMinted = 1,
): Account =>
  account(
    address,
    programAddresses.mplCore,
    [5, ...authority, ...text("Collection"), ...text("https://a.b/c"), ...u32(numMinted), ...u32(numMinted)],
    slot,
  );

export const coreAsset = (
  address: Uint8Array,
  slot: number,
  owner: Uint8Array,
  collection: Uint8Array,
): Account =>
  account(
    address,
    programAddresses.mplCore,
    [1, ...owner, 2, ...collection, ...text("Asset"), ...text("https://a.b/c"), 0],
    slot,
  );
