import { nameOfStore, openKeyTables } from "@lamplight/runtime";

import { KeyFile } from "../../key-store/key-file.ts";
import type { KeyStore } from "../../key-store/key-store.ts";
import { KeyTable } from "./key-table.ts";

/**
 * @param location - a file, or the URL of a database
 * @throws LamplightError `STORE__URL`
 */
export const openKeyStore = async (location: string): Promise<KeyStore> => {
  const tables = await openKeyTables(location);
  if (tables === null) return new KeyFile(location);
  return new KeyTable(nameOfStore(location), tables, async () => (await openKeyTables(location))!);
};
