import { methodTable } from "@lamplight/core";

import type { RequestKind } from "../gate/admission-queue.ts";
import type { Entry } from "./envelope.ts";

/** Methods whose calls may read many rows. */
const listMethods: ReadonlySet<string> = new Set([
  "searchAssets",
  "getNftEditions",
  "getTokenAccountsByDelegate",
]);

const methods: ReadonlySet<string> = new Set(Object.keys(methodTable));

/** What the calls of a request will cost, as far as their methods show it. */
export const kindOf = (entries: readonly Entry[]): RequestKind => {
  if (!entries.some((entry) => entry.kind === "call" && methods.has(entry.method))) return "without reads";
  if (entries.length > 1) return "batch";
  const [entry] = entries;
  return entry?.kind === "call" && listMethods.has(entry.method) ? "list" : "cheap";
};
