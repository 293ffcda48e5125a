// Opens the store that the conformance suite kills in a process of its own.

import type { IndexStore } from "@lamplight/core";
import { openSqliteStore } from "../src/open-sqlite-store.ts";

export const openWriter = (location: string): Promise<IndexStore> =>
  Promise.resolve(openSqliteStore({ file: location, mode: "write" }));
