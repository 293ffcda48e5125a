import { type AccountBatch, batchLayout } from "@lamplight/core";

const tokenAccountBytes = 165;
const multisigBytes = 355;
const typeOffset = 165;
const tokenAccountType = 2;
const amountOffset = 64;

/**
 * Whether an account of a token program is a token account that says nothing of any asset, seen from its bytes alone:
 * the amount is not one. Nine in ten accounts of a chain are, so that nothing is decoded for them. The rule of token
 * accounts has the last word about all others.
 */
export const isSilentTokenAccount = ({ bytes }: AccountBatch, record: number): boolean => {
  const length = bytes.readUInt32LE(record + batchLayout.dataLength);
  const data = record + batchLayout.data;
  if (length < tokenAccountBytes || length === multisigBytes) return false;
  if (length > tokenAccountBytes && bytes[data + typeOffset] !== tokenAccountType) return false;
  return bytes.readUInt32LE(data + amountOffset) !== 1 || bytes.readUInt32LE(data + amountOffset + 4) !== 0;
};
