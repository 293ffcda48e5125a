import { encodeAddress } from "@lamplight/codecs";
import type { Read } from "../ports/reads.ts";

const ADDRESS_BYTES = 32;
/** A list of mints has thousands. */
const ITEMS_SHOWN_MAX = 20;

/** A read as JSON for a log: addresses as text, other bytes in hex, large numbers in decimals, long lists cut. */
export const shownRead = (read: Read): unknown => shownValue(read);

const shownValue = (value: unknown): unknown => {
  if (value instanceof Uint8Array)
    return value.length === ADDRESS_BYTES ? encodeAddress(value) : Buffer.from(value).toString("hex");
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.slice(0, ITEMS_SHOWN_MAX).map(shownValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shownValue(part)]));
};
