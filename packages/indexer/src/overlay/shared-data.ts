// Anyone can send lamports to any account. Then a slot writes megabytes that it leaves as they were. They are kept once in
// memory, and are not published again.

import { hash } from "node:crypto";
import type { Account, AddressBytes } from "@lamplight/core";
import { newestWrite, type Path } from "../engine/delta.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";

/** Finds the data of an account as they are below a slot; null where there are none, or they cannot be read now. */
export type DataBelow = (address: AddressBytes) => Promise<Uint8Array | null>;

/** It finds nothing, for a slot whose ancestors are not known. */
export const noDataBelow: DataBelow = () => Promise.resolve(null);

/**
 * Finds data in the changes of ancestors, else in the finalized store.
 *
 * @param path - all ancestors above the finalized slot. Where none of them writes an account, its data are the finalized
 *   ones: they stay the same for as long as the slot can become finalized, also when an ancestor does.
 */
export const dataBelow =
  (path: Path, readFinalized: DataBelow): DataBelow =>
  async (address) => {
    const known = newestWrite(path, address)?.state.current.data;
    const data = known ?? (await readFinalized(address));
    return data === null ? null : withoutOthers(data);
  };

/** The data of the newest write of an ancestor, where they are large and those of the account; null otherwise. */
export const sharedDataOf = (
  { address, data }: Pick<Account, "address" | "data">,
  below: Path,
): Uint8Array | null => {
  if (data.length < SHARED_DATA_BYTES_MIN) return null;
  const known = newestWrite(below, address)?.state.current.data;
  return known === undefined || !isSameData(known, data) ? null : withoutOthers(known);
};

export const isSameData = (a: Uint8Array, b: Uint8Array): boolean => a === b || Buffer.compare(a, b) === 0;

/** A view of many more bytes, such as all bytes of a slot, would keep them for as long as it is shared. */
const withoutOthers = (data: Uint8Array): Uint8Array =>
  data.buffer.byteLength <= 2 * data.length ? data : new Uint8Array(data);

const hashes = new WeakMap<Uint8Array, Uint8Array>();

/** SHA-256 of data that do not change. Data that slots share are hashed once. */
export const hashData = (data: Uint8Array): Uint8Array => {
  const known = hashes.get(data);
  if (known !== undefined) return known;
  const hashed = hash("sha256", data, "buffer");
  hashes.set(data, hashed);
  return hashed;
};
