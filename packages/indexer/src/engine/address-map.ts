import type { AddressBytes } from "@lamplight/core";

export { AddressMap, AddressSet } from "@lamplight/core";

/**
 * Text that is equal for equal bytes; not for showing. It serves maps that are not used in each update, or that have
 * more than an address in their keys.
 */
export const addressKey = (address: AddressBytes): string =>
  Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString("latin1");
