import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { openSqliteStore } from "../src/open-sqlite-store.ts";
import { temporaryFile } from "./temporary-file.ts";

const idKey = "store_id";
const ID_BYTES = 16;

const createStore = async (): Promise<Buffer> => {
  const { file, remove } = temporaryFile();
  await openSqliteStore({ file, mode: "write" }).close();
  const bytes = readFileSync(file);
  remove();
  return bytes;
};

const bytes = await createStore();
const idAt = bytes.indexOf(idKey, bytes.toString("latin1").search(/store_id[0-9a-f]{32}/u)) + idKey.length;

/**
 * Writes an empty store with an id of its own into a new file. It is a copy, because to create the tables takes more
 * processor time than many a test of a store.
 */
export const writeEmptyStore = (file: string): void => {
  bytes.write(randomBytes(ID_BYTES).toString("hex"), idAt);
  writeFileSync(file, bytes, { flag: "wx" });
};
