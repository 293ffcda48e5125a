// In a store of part of the chain, what is absent may only be something that was never loaded. Asked only for absent keys.

import { encodeAddress, isOnCurve, programAddresses, sameBytes } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { FilteredCoverage } from "../domain/coverage.ts";
import type { Call } from "./method.ts";
import { read, type Steps } from "./steps.ts";

/**
 * For an account that was not found: it is known to be absent in a store of the whole chain, where that very
 * account is followed, and where a dump contains it as closed.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
export function* assertAbsenceIsKnown(call: Call, address: AddressBytes, what: string): Steps<void> {
  const { coverage } = call;
  if (coverage.kind === "whole" || isFollowed(coverage, encodeAddress(address))) return;
  yield* assertClosedInDump(call, address, what);
}

/**
 * For an address at which no asset was found: where the store covers less than the whole chain, its own account must
 * show that it is none, living or closed.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
export function* assertNoAssetIsKnown(call: Call, address: AddressBytes, what: string): Steps<void> {
  if (call.coverage.kind === "whole") return;
  const account = yield* read.account(address);
  if (account === null) yield* assertClosedInDump(call, address, what);
  else if (mayBeLeaf(account)) throw new LamplightError("STORE__NOT_COVERED", { what });
}

const isFollowed = ({ accounts, trees }: FilteredCoverage, address: string): boolean =>
  accounts?.includes(address) === true || trees?.includes(address) === true;

/** A source that follows programs does not report that a closed account was created again for another program. */
function* assertClosedInDump({ coverage }: Call, address: AddressBytes, what: string): Steps<void> {
  const isDump = coverage.kind === "filtered" && coverage.dumps === true;
  if (!isDump || !(yield* read.isClosed(address))) throw new LamplightError("STORE__NOT_COVERED", { what });
}

/** The id of a compressed asset is off the curve. Anybody can send lamports to it; then it has a bare system account. */
const mayBeLeaf = ({ address, programOwner, data }: Account): boolean =>
  data.length === 0 && sameBytes(programOwner, programAddresses.system) && !isOnCurve(address);
