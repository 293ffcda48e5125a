/**
 * The form of integers in results. `amounts`: lamports, token units and rent epochs as bigint, all others as number.
 * `string`: the same amounts as decimal strings, so that every result is plain JSON. `bigint`: every 64-bit integer as
 * bigint, and foreign ones beyond 2^53 too.
 */
export type IntegerMode = "amounts" | "string" | "bigint";

/** Lamports, token units or a rent epoch. */
export type Amount<I extends IntegerMode> = I extends "string" ? string : bigint;

/** A 64-bit integer that is no amount. As a number, one beyond 2^53 is rounded. */
export type Uint64<I extends IntegerMode> = I extends "bigint" ? bigint : number;

/** An address in base58, or anything that writes itself so, such as `PublicKey` of web3.js. */
export type AddressLike = string | { toBase58(): string };
