import { createKeccak } from "hash-wasm";

/** One reused hasher per thread: five times the rate of a pure JavaScript one (node:crypto has SHA3, which differs). */
const hasher = await createKeccak(256);
/** Where parts are joined: one call into the hasher costs more than copying a kilobyte. */
const joined = new Uint8Array(1024);

/** keccak-256 (the original padding, not SHA3-256) of the concatenated parts: 32 bytes. */
export const keccak256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  hasher.init();
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) hasher.update(only);
  else updateJoined(parts);
  return hasher.digest("binary");
};

const updateJoined = (parts: readonly Uint8Array[]): void => {
  let filled = 0;
  for (const part of parts) {
    if (filled + part.length > joined.length) {
      hasher.update(joined.subarray(0, filled));
      filled = 0;
    }
    if (part.length > joined.length) hasher.update(part);
    else {
      joined.set(part, filled);
      filled += part.length;
    }
  }
  hasher.update(joined.subarray(0, filled));
};
