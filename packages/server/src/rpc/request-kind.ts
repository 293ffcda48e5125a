import type { ContractMethods } from "@lamplight/core";

import type { RequestKind } from "../gate/admission.ts";
import type { Entry } from "./envelope.ts";

/** What the calls of a request will cost, as far as their methods show it. */
export const kindOf = (entries: readonly Entry[], methods: ContractMethods): RequestKind => {
  if (!entries.some((entry) => entry.kind === "call" && methods.has(entry.method))) return "without reads";
  if (entries.length > 1) return "batch";
  const [entry] = entries;
  return entry?.kind === "call" && methods.isList(entry.method) ? "list" : "cheap";
};
