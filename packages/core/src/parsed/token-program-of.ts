import { isTokenProgram, programAddresses, sameBytes } from "@lamplight/codecs";
import { mintViewOf } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";

/** The mint or the token program by which a call asks for the accounts of a delegate. */
interface DelegatedBy {
  readonly kind: "programId" | "mint";
  readonly address: AddressBytes;
}

/** Whether accounts are asked for by the native mint. It needs no account: it always belongs to the first token program. */
export const isByNativeMint = ({ kind, address }: DelegatedBy): boolean =>
  kind === "mint" && sameBytes(address, programAddresses.nativeMint);

/**
 * The token program whose accounts are asked for: the one that is named, or that of the mint. Null where it is no token
 * program, or no mint of one.
 *
 * @param mint - the account of the mint that is named; null where it does not exist
 */
export const tokenProgramOf = (by: DelegatedBy, mint: Account | null): AddressBytes | null => {
  if (by.kind === "programId") return isTokenProgram(by.address) ? by.address : null;
  if (isByNativeMint(by)) return programAddresses.token;
  if (mint === null || mintViewOf(mint.data) === null) return null;
  return isTokenProgram(mint.programOwner) ? mint.programOwner : null;
};
