import {
  decodeMint,
  decodeMultisig,
  decodeTokenAccount,
  encodeAddress,
  type Mint,
  type Multisig,
  type TokenAccount,
} from "@lamplight/codecs";
import type { MintView } from "../amount/mint-view.ts";
import { shapeTokenAmount } from "../amount/shape-token-amount.ts";
import type { JsonValue } from "../json/json-text.ts";
import { addressOrAbsent, addressOrNull, type ParsedJson } from "./parsed-json.ts";
import { shapeExtensions } from "./token-extensions.ts";

/** The facts that amounts are shown with. */
export interface AmountContext {
  /** The mint of this token account; null when it cannot be read. */
  readonly mint: MintView | null;
  /**
   * Unix time of the Clock sysvar at the slot that is read; 0 when it is missing, or the mint does not depend on it.
   */
  readonly unixTimestamp: bigint;
}

/**
 * Accounts of both token programs, tried as account, mint, multisig. A token account without its mint cannot be
 * shown: its amounts would have no decimals.
 */
export const parseSplToken = (data: Uint8Array, context: AmountContext): ParsedJson => {
  const account = decodeTokenAccount(data);
  if (account !== null) {
    if (context.mint === null) return null;
    return { info: shapeTokenAccount(account, context.mint, context.unixTimestamp), type: "account" };
  }
  const mint = decodeMint(data);
  if (mint !== null) return { info: shapeMint(mint), type: "mint" };
  const multisig = decodeMultisig(data);
  return multisig === null ? null : { info: shapeMultisig(multisig), type: "multisig" };
};

const shapeTokenAccount = (account: TokenAccount, mint: MintView, unixTimestamp: bigint): JsonValue => {
  const amount = (raw: bigint): JsonValue => shapeTokenAmount(raw, mint, unixTimestamp);
  const reserve = account.rentExemptReserve;
  return {
    closeAuthority: addressOrAbsent(account.closeAuthority),
    delegate: addressOrAbsent(account.delegate),
    // A rest that a former delegate left behind is not shown.
    delegatedAmount: account.delegate === null ? undefined : amount(account.delegatedAmount),
    extensions: shapeExtensions(account.extensions, "tokenAccount"),
    isNative: reserve !== null,
    mint: encodeAddress(account.mint),
    owner: encodeAddress(account.tokenOwner),
    rentExemptReserve: reserve === null ? undefined : amount(reserve),
    state: account.state,
    tokenAmount: amount(account.amount),
  };
};

const shapeMint = (mint: Mint): JsonValue => ({
  decimals: mint.decimals,
  extensions: shapeExtensions(mint.extensions, "mint"),
  freezeAuthority: addressOrNull(mint.freezeAuthority),
  isInitialized: true,
  mintAuthority: addressOrNull(mint.mintAuthority),
  supply: mint.supply.toString(),
});

const shapeMultisig = (multisig: Multisig): JsonValue => ({
  isInitialized: true,
  numRequiredSigners: multisig.requiredSigners,
  numValidSigners: multisig.validSigners,
  signers: multisig.signers.map(encodeAddress),
});
