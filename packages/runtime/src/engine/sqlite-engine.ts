import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LamplightError } from "@lamplight/errors";

import type { StoreEngine } from "./store-engine.ts";
import { unknownStore } from "./unknown-store.ts";

/** Loaded when it is needed, because every other start would pay for it too. */
const load = () => import("@lamplight/store-sqlite");

/** @throws LamplightError `STORE__URL` */
const fileOf = (url: string): string => {
  const file = /^sqlite:(?!\/\/[^/])(.+)$/su.exec(url)?.[1];
  if (file === undefined) throw unknownStore(url, url);
  return file;
};

/** @throws LamplightError `STORE__URL`, `STORE__MISSING` */
const existingFileOf = (url: string): string => {
  const file = fileOf(url);
  if (!existsSync(file)) throw new LamplightError("STORE__MISSING", { store: file });
  return file;
};

/** Suffixes of a store file and of the files next to it. */
const suffixes = ["", "-wal", "-shm", "-journal", "-lock", "-documents-lock", ".search", ".load"];

/** A store in a file: `sqlite:FILE`. */
export const sqliteEngine: StoreEngine = {
  name: "SQLite",
  schemes: ["sqlite"],
  sharesUnfinalized: false,
  keepsNextSet: true,
  fileOf,
  nameOf: (url) => url,
  // A file has one owner: its writers update it.
  autoMigrate: (url) => url,
  planMigration: async (url) => (await load()).planSqliteMigration(fileOf(url)),
  sibling(url, name) {
    const file = fileOf(url);
    return `sqlite:${join(dirname(file), `${name}-${basename(file)}`)}`;
  },
  async assertWritable(url, use) {
    (await load()).assertSqliteStoreFile(fileOf(url), { create: use === "create" });
  },
  async openReader(url, { viewsMax }) {
    const file = fileOf(url);
    const [{ openSqliteReader }, { searchFileOf }] = await Promise.all([load(), import("@lamplight/search")]);
    const reader = openSqliteReader({ file, connectionsMax: viewsMax });
    return {
      openView: reader.openView.bind(reader),
      searchFile: searchFileOf(file),
      servers: () => [],
      unfinalized: null,
      isImmutable: reader.isImmutable,
      close: () => reader.close(),
    };
  },
  async openWriter(url, { create, follows = false, onProblem }) {
    return (await load()).openSqliteStore({
      file: create ? fileOf(url) : existingFileOf(url),
      mode: "write",
      checkpoints: follows ? "thread" : "commits",
      ...(onProblem === undefined ? {} : { onProblem }),
    });
  },
  openDocuments: async (url) => (await load()).openSqliteDocuments({ file: fileOf(url) }),
  requestCoverage: async (url, edit) => (await load()).requestSqliteCoverage(fileOf(url), edit),
  readCoverageRequest: async (url) => (await load()).readSqliteCoverageRequest(fileOf(url)),
  async openBulkLoad(url, { holdings, fileBytesMax }) {
    return (await load()).openBulkLoad({
      file: fileOf(url),
      ...(holdings === undefined ? {} : { holdings }),
      ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
    });
  },
  openCopy: {
    from: async (url) => (await load()).openSqliteExport(existingFileOf(url)),
    to: async (url, holdings) => (await load()).openSqliteImport({ file: fileOf(url), holdings }),
  },
  async drop(url) {
    const file = fileOf(url);
    for (const suffix of suffixes) await rm(`${file}${suffix}`, { recursive: true, force: true });
  },
  backup: async (url, options) => (await load()).backupSqliteStore({ from: existingFileOf(url), ...options }),
  openKeyTables: null,
};
