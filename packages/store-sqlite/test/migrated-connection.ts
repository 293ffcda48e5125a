import { Connection } from "../src/engine/connection.ts";
import { migrate } from "../src/schema/migrate.ts";
import { temporaryFile } from "./temporary-file.ts";

/** A connection to a new store file with the newest schema, and what closes it and removes the file. */
export const migratedConnection = (): { readonly connection: Connection; readonly remove: () => void } => {
  const place = temporaryFile();
  const connection = new Connection(place.file, { readOnly: false, busyMs: 0 });
  migrate(connection);
  const remove = (): void => {
    connection.close();
    place.remove();
  };
  return { connection, remove };
};
