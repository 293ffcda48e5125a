import { decodeValidatorInfo, encodeAddress } from "@lamplight/codecs";
import { JsonRaw } from "../json/json-text.ts";
import { normalizeJson } from "../json/normalize-json.ts";
import type { ParsedJson } from "./parsed-json.ts";

/** Accounts of the config program: only what validators say about themselves is shown. */
export const parseConfig = (data: Uint8Array): ParsedJson => {
  const record = decodeValidatorInfo(data);
  const configData = record === null ? null : normalizeJson(record.text);
  if (record === null || configData === null) return null;
  const keys = record.keys.map(({ address, signer }) => ({ pubkey: encodeAddress(address), signer }));
  return { info: { configData: new JsonRaw(configData), keys }, type: "validatorInfo" };
};
