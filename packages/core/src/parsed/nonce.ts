import { decodeNonce, encodeAddress } from "@lamplight/codecs";
import type { ParsedJson } from "./parsed-json.ts";

/** Nonce accounts: the only accounts of the system program with something to show. */
export const parseNonce = (data: Uint8Array): ParsedJson => {
  const nonce = decodeNonce(data);
  if (nonce === null) return null;
  const info = {
    authority: encodeAddress(nonce.authority),
    blockhash: encodeAddress(nonce.blockhash),
    feeCalculator: { lamportsPerSignature: nonce.lamportsPerSignature.toString() },
  };
  return { info, type: "initialized" };
};
