import { openStoreForReading } from "./open-store.ts";
import { isPostgresUrl, parseStoreUrl } from "./store-url.ts";

/** What a process will do with a store: only read it, update one that exists, or create it where it is missing. */
export type StoreUse = "read" | "update" | "create";

/**
 * Fails where a store cannot be used, before a port is taken or long work begins. A store to be read is opened and
 * closed. Of a store to be written only the URL and the file are checked: its writer creates or migrates the rest.
 *
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const assertStoreUsable = async (url: string, use: StoreUse): Promise<void> => {
  if (use === "read") {
    const reader = await openStoreForReading(url, { views: { most: 1, workers: 1 } });
    reader.close();
    return;
  }
  if (isPostgresUrl(url)) {
    const { parsePostgresUrl } = await import("@lamplight/store-postgres");
    parsePostgresUrl(url);
    return;
  }
  const { assertSqliteStoreFile } = await import("@lamplight/store-sqlite");
  assertSqliteStoreFile(parseStoreUrl(url).file, { create: use === "create" });
};
