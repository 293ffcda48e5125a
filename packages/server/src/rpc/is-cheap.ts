import type { Entry } from "./envelope.ts";

/** Methods whose calls may read many rows. */
const listMethods: ReadonlySet<string> = new Set([
  "searchAssets",
  "getNftEditions",
  "getTokenAccountsByDelegate",
]);

/** Whether a request costs about as much as one read. */
export const isCheap = (entries: readonly Entry[]): boolean => {
  const entry = entries[0]!;
  return entries.length === 1 && !(entry.kind === "call" && listMethods.has(entry.method));
};
