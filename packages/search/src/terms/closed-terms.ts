import { closedCriteria } from "@lamplight/core";
import { termKey } from "./term-key.ts";

/** The terms that are always in memory, by their keys. */
export const closedTerms = closedCriteria.map((closed) => ({ ...closed, key: termKey(closed.criterion)! }));
