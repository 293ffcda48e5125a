import { accountTypes, tokenAccountLayout as layout } from "@lamplight/codecs";
import { type AccountBatch, batchLayout } from "@lamplight/core";

/**
 * Whether an account of a token program is a token account that describes no asset, because its amount is not 1. Nine in
 * ten accounts of a chain are such accounts, so they are recognized by their bytes, without decoding. The rule of token
 * accounts decides about all others.
 */
export const isTokenAccountWithoutAsset = ({ bytes }: AccountBatch, record: number): boolean => {
  const length = bytes.readUInt32LE(record + batchLayout.dataLength);
  const data = record + batchLayout.data;
  if (length < layout.bytes || length === layout.multisigBytes) return false;
  if (length > layout.bytes && bytes[data + layout.type] !== accountTypes.tokenAccount) return false;
  const amount = data + layout.amount;
  return bytes.readUInt32LE(amount) !== 1 || bytes.readUInt32LE(amount + 4) !== 0;
};
