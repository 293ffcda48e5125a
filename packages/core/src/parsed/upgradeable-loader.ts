import { decodeUpgradeableLoader, encodeAddress } from "@lamplight/codecs";
import { addressOrNull, base64Text, type ParsedJson } from "./parsed-json.ts";

/** Accounts of the upgradeable loader; program bytes always as base64. */
export const parseUpgradeableLoader = (data: Uint8Array): ParsedJson => {
  const account = decodeUpgradeableLoader(data);
  if (account === null) return null;
  switch (account.kind) {
    case "uninitialized":
      return { type: account.kind };
    case "buffer":
      return {
        info: { authority: addressOrNull(account.authority), data: [base64Text(account.program), "base64"] },
        type: account.kind,
      };
    case "program":
      return { info: { programData: encodeAddress(account.programData) }, type: account.kind };
    case "programData":
      return {
        info: {
          authority: addressOrNull(account.authority),
          data: [base64Text(account.program), "base64"],
          slot: account.slot,
        },
        type: account.kind,
      };
    default:
      return account satisfies never;
  }
};
