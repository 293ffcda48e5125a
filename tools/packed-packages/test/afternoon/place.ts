import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";

/** The store and the keys of an afternoon. */
export interface Place {
  readonly storeUrl: string;
  /** The file of the store; null in a database. */
  readonly file: string | null;
  readonly keyStore: string;
  /** Null for files. */
  readonly postgres: TestPostgres | null;
}

export const placeOfFiles = (folder: string): Place => {
  mkdirSync(folder);
  const file = join(folder, "index.db");
  return { storeUrl: `sqlite:${file}`, file, keyStore: join(folder, "keys.json"), postgres: null };
};

/** The store and the keys are in one database, which ends with the afternoon. */
export const placeInPostgres = async (folder: string): Promise<Place> => {
  mkdirSync(folder);
  const postgres = await startPostgres();
  return { storeUrl: postgres.url, file: null, keyStore: postgres.url, postgres };
};
