import { hash } from "node:crypto";
import type { LoadReceipt } from "./load-receipt.ts";

const checksumOf = (text: string): string => hash("sha256", text, "hex");

/** A receipt as a store keeps it: a JSON object, whose last member is a checksum of the text without it. */
export const writeReceiptText = (receipt: LoadReceipt): string => {
  const text = JSON.stringify(receipt);
  return `${text.slice(0, -1)},"checksum":"${checksumOf(text)}"}`;
};

/** Null when the text was changed. */
export const readReceiptText = (text: string): LoadReceipt | null => {
  const found = /,"checksum":"([0-9a-f]{64})"\}$/u.exec(text);
  if (found === null) return null;
  const body = `${text.slice(0, found.index)}}`;
  return found[1] === checksumOf(body) ? (JSON.parse(body) as LoadReceipt) : null;
};
