import type { AddressBytes } from "@lamplight/core";

export { AddressMap, AddressSet } from "@lamplight/core";

/** Text that is equal for equal bytes; not for showing. For maps off the way of each update, or with more than an address in their keys. */
export const addressKey = (address: AddressBytes): string =>
  Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString("latin1");
