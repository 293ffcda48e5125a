// In a store of part of the chain, what is absent may only be something that was never loaded. Asked only for absent keys.

import { encodeAddress, isOnCurve, programAddresses, sameBytes } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { Coverage } from "../domain/coverage.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";

/**
 * For an account that is not in the view: it is known to be absent in a store of the whole chain, where that very
 * account is followed, and where a dump contains it as closed.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
export const assertAbsenceIsKnown = (
  view: ReadView,
  address: AddressBytes,
  what: string,
): MaybePromise<void> => {
  if (view.coverage.kind === "whole" || isFollowed(view.coverage, encodeAddress(address))) return;
  return assertClosedInDump(view, address, what);
};

/**
 * For an address that is no asset in the view: where the store covers less than the whole chain, its own account must
 * show that it is none, living or closed.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
export const assertNoAssetIsKnown = (
  view: ReadView,
  address: AddressBytes,
  what: string,
): MaybePromise<void> => {
  if (view.coverage.kind === "whole") return;
  return whenReady(view.accounts.findAccount(address), (account) => {
    if (account === null) return assertClosedInDump(view, address, what);
    if (mayBeLeaf(account)) throw new LamplightError("STORE__NOT_COVERED", { what });
  });
};

const isFollowed = ({ accounts, trees }: Coverage & { kind: "filtered" }, address: string): boolean =>
  accounts?.includes(address) === true || trees?.includes(address) === true;

/** A source that follows programs does not report that a closed account was created again for another program. */
const assertClosedInDump = (
  { accounts, coverage }: ReadView,
  address: AddressBytes,
  what: string,
): MaybePromise<void> => {
  const isDump = coverage.kind === "filtered" && coverage.dumps === true;
  return whenReady(isDump && accounts.isClosed(address), (isClosed) => {
    if (!isClosed) throw new LamplightError("STORE__NOT_COVERED", { what });
  });
};

/** The id of a compressed asset is off the curve. Anybody can send lamports to it; then it has a bare system account. */
const mayBeLeaf = ({ address, programOwner, data }: Account): boolean =>
  data.length === 0 && sameBytes(programOwner, programAddresses.system) && !isOnCurve(address);
