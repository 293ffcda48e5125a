import { createHash } from "node:crypto";
import { type Asset, contentText, offchainRow as rowOf, type OffchainRow } from "@lamplight/core";
import { assetOf } from "./assets.ts";

/** It is made of hashes, because an index would compress a name that repeats itself. */
const longName = Array.from({ length: 100 }, (_, index) =>
  createHash("sha512").update(`${index}`).digest("hex"),
).join("");
export const longHostUri = `https://${longName}.com/1.json`;

/** A document that was not fetched yet. */
export const offchainRow = (uri: string, more: Partial<OffchainRow> = {}): OffchainRow =>
  rowOf(uri, { firstSeenMs: 1, dueMs: 1, ...more });

export const says = (description: string): string => JSON.stringify({ description });

export const cdnUri = (name: string): string => `https://cdn.a.test/${name}`;

/** An asset that names one of twenty documents. Its place is in its own document. */
export const assetAt = (index: number, name: string): Asset => {
  const jsonUri = cdnUri(String(index % 20));
  const content = contentText({ jsonUri, name, symbol: "é", tokenStandard: null });
  const document = `{"interface":"V1_NFT","id":"${index}","content":${content},"mutable":true}`;
  return assetOf(index, { jsonUri, document });
};
