const SIGN = 0x80;

/**
 * An address as a text of 32 characters that takes little memory. Places ascend as the merged accounts of a snapshot do: the
 * first byte is signed.
 */
export const placeOf = (address: Uint8Array): string =>
  String.fromCharCode(address[0]! ^ SIGN) + Buffer.from(address.subarray(1)).toString("latin1");

export const addressAt = (place: string): Uint8Array => {
  const address = new Uint8Array(Buffer.from(place, "latin1"));
  address[0]! ^= SIGN;
  return address;
};
