export { decodeAddress, findAddress } from "./base58/decode-address.ts";
export { encodeAddress, encodeBase58 } from "./base58/encode-base58.ts";
export { isTokenProgram, programAddresses, programAddressTexts, sameBytes } from "./programs/addresses.ts";
export { sysvarAddresses, sysvarAddressTexts, validatorInfoKey } from "./programs/addresses.ts";
export { decodeMint, type Mint } from "./token/decode-mint.ts";
export { decodeMultisig, type Multisig } from "./token/decode-multisig.ts";
export { decodeTokenAccount, delegateOf, isTokenAccount, type TokenAccount } from "./token/decode-token-account.ts";
