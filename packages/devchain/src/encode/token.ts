import { ByteWriter } from "./byte-writer.ts";

export interface MintFields {
  readonly mintAuthority: Uint8Array | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Uint8Array | null;
}

/** A mint of either token program, 82 bytes. */
export const encodeMint = (mint: MintFields): Uint8Array =>
  new ByteWriter()
    .optionKey(mint.mintAuthority)
    .u64(mint.supply)
    .u8(mint.decimals)
    .u8(true)
    .optionKey(mint.freezeAuthority)
    .finish();

export interface TokenAccountFields {
  readonly mint: Uint8Array;
  readonly tokenOwner: Uint8Array;
  readonly amount: bigint;
  readonly delegate: Uint8Array | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** Rent-exempt reserve of wrapped lamports; null for any other token. */
  readonly nativeReserve: bigint | null;
  readonly closeAuthority: Uint8Array | null;
}

/** A token account of either token program, 165 bytes. */
export const encodeTokenAccount = (account: TokenAccountFields): Uint8Array =>
  new ByteWriter()
    .bytes(account.mint)
    .bytes(account.tokenOwner)
    .u64(account.amount)
    .optionKey(account.delegate)
    .u8(account.frozen ? 2 : 1)
    .u32(account.nativeReserve === null ? 0 : 1)
    .u64(account.nativeReserve ?? 0n)
    .u64(account.delegatedAmount)
    .optionKey(account.closeAuthority)
    .finish();

/** `m` of the signers must sign; 355 bytes. */
export const encodeMultisig = (m: number, signers: readonly Uint8Array[]): Uint8Array => {
  const writer = new ByteWriter().u8(m).u8(signers.length).u8(true);
  for (const signer of signers) writer.bytes(signer);
  return writer.finish(355);
};
