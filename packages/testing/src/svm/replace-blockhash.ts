import { decodeBase58 } from "@lamplight/codecs";
import { readWire, type Wire } from "./lite-svm.ts";

/** The transaction with another blockhash. Its signatures do not fit it. */
export const replaceBlockhash = (wire: Wire, blockhash: string): Wire => {
  const bytes = Uint8Array.from(wire.bytes);
  // The blockhash follows the keys, and the header and the number of keys precede them.
  const header = wire.version === "legacy" ? 3 : 4;
  const count = wire.staticKeys.length < 128 ? 1 : 2;
  const at = bytes.length - wire.message.length + header + count + wire.staticKeys.length * 32;
  bytes.set(decodeBase58(blockhash, 44), at);
  return readWire(bytes);
};
