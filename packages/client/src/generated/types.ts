// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { AccountData } from "../types/account-data.ts";
import type { AddressLike, Amount, IntegerMode, Uint64 } from "../types/values.ts";
import type { Address, Commitment, Encoding, TokenAccountFilter, Asset, Context, DataSlice, GetLargestAccountsResult, GetNftEditionsResult, GetTokenSupplyResult, SearchAssetsResult, GetNftEditionsParams, SearchAssetsParams, GetAssetParams, GetTokenSupplyParams, GetLargestAccountsParams } from "./values.ts";

export type * from "./values.ts";

/**
 * null when the account does not exist. Requests of Solana client libraries (header Solana-Client), and requests to ?profile=agave, get an object with value null instead.
 */
export type GetAccountInfoResult<E extends Encoding = Encoding, I extends IntegerMode = "amounts"> = AccountInfo<E, I> | null;

/**
 * An account.
 */
export interface Account<E extends Encoding = Encoding, I extends IntegerMode = "amounts"> {
  /**
   * The bytes of the account in the encoding that was asked for, or the parsed record.
   */
  data: AccountData<E, I>;
  /**
   * Whether the account is a program that can be called.
   */
  executable: boolean;
  /**
   * Balance in lamports: 1 SOL is 1,000,000,000.
   */
  lamports: Amount<I>;
  /**
   * Program that owns the account: only it can change the data.
   */
  owner: Address;
  /**
   * Epoch in which rent is next due; 2^64 - 1 for rent-exempt accounts, which all new ones are.
   */
  rentEpoch: Amount<I>;
  /**
   * Size of the whole data in bytes, 0 to 10 MiB, also with dataSlice.
   */
  space: Uint64<I>;
}
/**
 * How to read accounts. Unknown members are refused; requests of Solana client libraries (header Solana-Client), and to ?profile=agave, may contain any.
 */
export interface AccountConfig<E extends Encoding = Encoding> {
  /**
   * Which bank to read: `finalized` (default) cannot be rolled back, `confirmed` has the votes of two thirds of the stake (on an Alpenglow cluster it is the same as `finalized`), `processed` may still be dropped.
   */
  commitment?: Commitment | undefined;
  /**
   * How account data is written: base64 (default); base64+zstd, compressed; base58 and binary, refused over 128 bytes; jsonParsed, with base64 for what has no parser.
   */
  encoding?: E | undefined;
  /**
   * Part of the data; a range past the end gives what is there. Only for binary encodings.
   */
  dataSlice?: DataSlice | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * An account and where it was read.
 */
export interface AccountInfo<E extends Encoding = Encoding, I extends IntegerMode = "amounts"> {
  /**
   * Slot of the answer.
   */
  context: Context;
  /**
   * The account; null when it does not exist.
   */
  value: Account<E, I> | null;
}
/**
 * Token accounts, ascending by address bytes.
 */
export interface GetTokenAccountsByDelegateResult<E extends Encoding = Encoding, I extends IntegerMode = "amounts"> {
  /**
   * Slot of the answer.
   */
  context: Context;
  /**
   * Token accounts of the delegate, ascending by address bytes.
   */
  value: TokenAccountEntry<E, I>[];
}
/**
 * A token account.
 */
export interface TokenAccountEntry<E extends Encoding = Encoding, I extends IntegerMode = "amounts"> {
  /**
   * The token account.
   */
  account: Account<E, I>;
  /**
   * Address of the token account.
   */
  pubkey: Address;
}
/**
 * Parameters of getTokenAccountsByDelegate by name.
 */
export interface GetTokenAccountsByDelegateParams<E extends Encoding = Encoding> {
  /**
   * Address of the delegate.
   */
  address: AddressLike;
  /**
   * Which token accounts: those of one `mint`, or of one token program, `programId`.
   */
  accountDetails: TokenAccountFilter;
  /**
   * Bank, encoding and part of the data. Null: finalized, base64, all data.
   */
  config?: AccountConfig<E> | undefined;
}
/**
 * Parameters of getAccountInfo by name.
 */
export interface GetAccountInfoParams<E extends Encoding = Encoding> {
  /**
   * Address of the account.
   */
  address: AddressLike;
  /**
   * Bank, encoding and part of the data. Null: finalized, base64, all data.
   */
  config?: AccountConfig<E> | undefined;
}/** Returns the metadata of a compressed or standard asset. */
export type GetAssetResult<I extends IntegerMode = "amounts"> = Asset<I>;

/** Every method by its wire name. */
export interface MethodTypes<E extends Encoding = Encoding, I extends IntegerMode = "amounts"> {
  /** Lists all printed editions of a master edition NFT mint. */
  getNftEditions: { params: GetNftEditionsParams; result: GetNftEditionsResult<I> };
  /** Lists the assets that match search criteria. */
  searchAssets: { params: SearchAssetsParams; result: SearchAssetsResult<I> };
  /** Lists the token accounts for which a delegate is approved. */
  getTokenAccountsByDelegate: { params: GetTokenAccountsByDelegateParams; result: GetTokenAccountsByDelegateResult<E, I> };
  /** Returns the information held for one account address. */
  getAccountInfo: { params: GetAccountInfoParams; result: GetAccountInfoResult<E, I> };
  /** Returns the metadata of a compressed or standard asset. */
  getAsset: { params: GetAssetParams; result: GetAssetResult<I> };
  /** Returns the total supply of a token mint. */
  getTokenSupply: { params: GetTokenSupplyParams; result: GetTokenSupplyResult };
  /** Returns the 20 accounts with the largest lamport balance. */
  getLargestAccounts: { params: GetLargestAccountsParams; result: GetLargestAccountsResult<I> };
}

/** Wire name of a method. */
export type MethodName = keyof MethodTypes;
