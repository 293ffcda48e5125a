import { createHash } from "node:crypto";
import type { AddressBytes } from "@lamplight/core";

/** The same 32 bytes for the same name, spread over the whole range. */
export const addressOf = (name: string | number): AddressBytes =>
  Uint8Array.from(createHash("sha256").update(`address ${name}`).digest());

/** An address that shares its first eight bytes with `other`, and with nothing else in common. */
export const addressBeside = (other: AddressBytes, name: string | number): AddressBytes => {
  const address = addressOf(name);
  address.set(other.subarray(0, 8));
  return address;
};

export const compareAddresses = (a: AddressBytes, b: AddressBytes): number => Buffer.compare(a, b);

export const addressText = (address: AddressBytes): string => Buffer.from(address).toString("hex");
