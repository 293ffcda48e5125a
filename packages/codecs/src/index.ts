export { decodeAddress, findAddress } from "./base58/decode-address.ts";
export { encodeAddress, encodeBase58 } from "./base58/encode-base58.ts";
