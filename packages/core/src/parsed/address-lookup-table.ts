import { decodeLookupTable, encodeAddress } from "@lamplight/codecs";
import { addressOrAbsent, type ParsedJson } from "./parsed-json.ts";

/** Accounts of the address lookup table program. */
export const parseLookupTable = (data: Uint8Array): ParsedJson => {
  const table = decodeLookupTable(data);
  if (table === null) return null;
  if (table.kind === "uninitialized") return { type: table.kind };
  const info = {
    addresses: table.addresses.map(encodeAddress),
    authority: addressOrAbsent(table.authority),
    deactivationSlot: table.deactivationSlot.toString(),
    lastExtendedSlot: table.lastExtendedSlot.toString(),
    lastExtendedSlotStartIndex: table.lastExtendedSlotStartIndex,
  };
  return { info, type: table.kind };
};
