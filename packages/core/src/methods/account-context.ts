import { LamplightError } from "@lamplight/errors";
import type { Coverage } from "../domain/coverage.ts";
import type { ReadView } from "../ports/read-view.ts";
import type { MethodSettings } from "./call-context.ts";

/** The `context` member of the four account methods, as text. */
export const shapeContext = (settings: MethodSettings, slot: number): string =>
  `{"apiVersion":${settings.apiVersionText},"slot":${slot}}`;

/** @throws LamplightError `ACCOUNT__SLOT_NOT_REACHED` when the view is older than the caller asks for */
export const assertMinContextSlot = (view: ReadView, minContextSlot: number | bigint | undefined): void => {
  if (minContextSlot !== undefined && BigInt(minContextSlot) > BigInt(view.slot))
    throw new LamplightError("ACCOUNT__SLOT_NOT_REACHED", { contextSlot: view.slot });
};

/**
 * An absent key means "does not exist" only in a store of the whole chain, or where that very account is followed: in
 * any other it may be one that was never loaded.
 *
 * @param address - base58 text of the account, where the key is one
 * @throws LamplightError `STORE__NOT_COVERED`
 */
export const assertAbsenceIsKnown = (coverage: Coverage, what: string, address?: string): void => {
  if (coverage.kind === "whole") return;
  const isFollowed = [coverage.accounts, coverage.trees].some(
    (addresses) => address !== undefined && addresses?.includes(address) === true,
  );
  if (!isFollowed) throw new LamplightError("STORE__NOT_COVERED", { what });
};
