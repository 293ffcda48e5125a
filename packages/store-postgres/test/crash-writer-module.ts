// Opens the store that the conformance suite kills in a process of its own.

import type { IndexStore } from "@lamplight/core";
import { openPostgresStore } from "../src/open-postgres-store.ts";

export const openWriter = (location: string): Promise<IndexStore> =>
  openPostgresStore({ url: location, mode: "write" });
