/**
 * The consensus by which a cluster agrees on its blocks. Under `towerbft` a confirmed block may still be rolled back,
 * and is finalized some 31 blocks later. Under `alpenglow` a confirmed block is finalized.
 */
export type Consensus = "towerbft" | "alpenglow";

/**
 * The account in which a cluster keeps the certificate of its first Alpenglow block, base58 text. Its owner is the System
 * program. Anyone can send lamports to this address, so only data proves the certificate.
 */
export const genesisCertificateAddress = "42Ym56TQ7AKFThRv5nyoSABq5ZPgE2TLKo8BALZEtoU1";
