// Anyone can send lamports to any account. Then a slot writes megabytes that an ancestor has written, too. Both keep the same bytes.

import type { Account } from "@lamplight/core";
import { newestWrite, type Path } from "../engine/delta.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";

/** The data of the newest write of an ancestor, where they are large and those of the account; null otherwise. */
export const sharedDataOf = (
  { address, data }: Pick<Account, "address" | "data">,
  below: Path,
): Uint8Array | null => {
  if (data.length < SHARED_DATA_BYTES_MIN) return null;
  const known = newestWrite(below, address)?.state.current.data;
  if (known === undefined || Buffer.compare(known, data) !== 0) return null;
  // A view of many more bytes, such as all bytes of a slot, would keep them for as long as it is shared.
  return known.buffer.byteLength <= 2 * known.length ? known : new Uint8Array(known);
};
