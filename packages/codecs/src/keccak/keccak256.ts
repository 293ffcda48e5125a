import { createKeccak } from "hash-wasm";

/** One reused hasher per thread: five times the rate of a pure JavaScript one (node:crypto has SHA3, which differs). */
const hasher = await createKeccak(256);

/** keccak-256 (the original padding, not SHA3-256) of the concatenated parts: 32 bytes. */
export const keccak256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  hasher.init();
  for (const part of parts) hasher.update(part);
  return hasher.digest("binary");
};
