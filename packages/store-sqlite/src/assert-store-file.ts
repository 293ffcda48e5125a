import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { Connection } from "./engine/connection.ts";
import { READER_BUSY_MS } from "./engine/settings.ts";
import { assertSchemaIsKnown } from "./schema/migrate.ts";

/**
 * Fails where a writer could not open a file, as far as a read shows it: an older schema and an empty file pass. Writes
 * nothing and takes no lock of a writer.
 *
 * @param options.create - whether a missing file passes, as long as its folder exists
 * @throws LamplightError `STORE__MISSING`, `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT` and others
 * of the STORE family
 */
export const assertSqliteStoreFile = (file: string, { create }: { readonly create: boolean }): void => {
  if (!existsSync(file)) {
    const folder = dirname(file);
    if (!create) throw new LamplightError("STORE__MISSING", { store: file });
    if (!existsSync(folder)) throw new LamplightError("STORE__MISSING", { store: folder });
    return;
  }
  const connection = new Connection(file, { readOnly: true, busyMs: READER_BUSY_MS });
  try {
    assertSchemaIsKnown(connection);
  } finally {
    connection.close();
  }
};
