import { decodeAddress } from "@lamplight/codecs";
import type { Slot } from "@lamplight/core";
import { SCAN_MS_MAX, scanBytesMax } from "./limits.ts";
import { parseInTurns } from "./parse-in-turns.ts";
import { placeOf } from "../place.ts";
import { ProgramPlaces } from "./program-accounts.ts";
import { callWithSlot, type PageContext } from "./read-pages.ts";
import { RpcTrouble } from "./rpc-fault.ts";

/**
 * Reads the addresses of all accounts of a program, and nothing of their content.
 *
 * @param program - base58 text
 * @throws RpcRefusal, RpcForbidden, RpcTrouble
 */
export const readProgramPlaces = (
  program: string,
  context: PageContext,
): Promise<{ readonly slot: Slot; readonly places: ProgramPlaces }> =>
  callWithSlot(
    "getProgramAccounts",
    [program, { withContext: true, sortResults: false, dataSlice: { offset: 0, length: 0 } }],
    context,
    {
      timeoutMs: SCAN_MS_MAX,
      bytesMax: scanBytesMax(),
      parse: (text, signal) => parseInTurns(text, signal, placeOfRow),
      understand: (slot, value) => ({ slot, places: placesOf(value) }),
    },
  );

const placeOfRow = (row: unknown): unknown => {
  const { pubkey } = (row ?? {}) as { readonly pubkey?: unknown };
  return typeof pubkey === "string" ? placeOf(decodeAddress(pubkey)) : null;
};

const placesOf = (value: unknown): ProgramPlaces => {
  if (!Array.isArray(value)) throw new RpcTrouble("getProgramAccounts was answered without a list");
  const places = new ProgramPlaces();
  for (const place of value as readonly unknown[]) {
    if (typeof place !== "string") throw new RpcTrouble("an account was answered without its address");
    places.add(place);
  }
  return places;
};
