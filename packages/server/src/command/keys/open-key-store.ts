import { nameOfStore, openKeyTables } from "@lamplight/runtime";

import { toKeyStoreError } from "../../key-store/key-admin.ts";
import { KeyFile } from "../../key-store/key-file.ts";
import type { KeyStore } from "../../key-store/key-store.ts";
import { RecordFault } from "../../key-store/read-records.ts";
import { KeyTable } from "./key-table.ts";

/** A colon after more than the letter of a drive, before any folder. */
const urlPattern = /^\s*[a-z][\w+.-]+:/iu;

/**
 * @param location - a file, or the URL of a database
 * @throws LamplightError `STORE__URL`; `CONFIG__INVALID` for other URLs, which are no names of files
 */
export const openKeyStore = async (location: string): Promise<KeyStore> => {
  const tables = await openKeyTables(location);
  if (tables === null && urlPattern.test(location)) throw noKeyStore(location);
  if (tables === null) return new KeyFile(location);
  return new KeyTable(nameOfStore(location), tables, async () => (await openKeyTables(location))!);
};

/** A misspelt URL may contain a password. */
const noKeyStore = (location: string): unknown =>
  toKeyStoreError(
    nameOfStore(location),
    new RecordFault("the key store", "must be a file, or begin with postgres://"),
  );
