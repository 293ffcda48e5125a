import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** People, and scanners for leaked secrets, recognize a key by it. */
const prefix = "lamplight_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random characters of a key, of 62 each: 178 bits. */
const RANDOM_CHARS = 30;

/** Characters of the checksum, by which a scanner knows a key from other text without asking a server. */
const CHECKSUM_CHARS = 6;

/** A new key: the prefix, random characters, and the CRC-32 of these in base 62. */
export const makeKey = (): string => {
  const random = Array.from({ length: RANDOM_CHARS }, () => digits[randomInt(digits.length)]).join("");
  return `${prefix}${random}${checksumOf(random)}`;
};

const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let checksum = "";
  for (let at = 0; at < CHECKSUM_CHARS; at += 1) {
    checksum = digits[rest % digits.length]! + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
};

/**
 * The form in which a key is stored. One round of SHA-256 is enough: slow hashes protect passwords, which can be
 * guessed, and 178 random bits cannot.
 */
export const hashKey = (key: string): string => hash("sha256", key, "hex");
