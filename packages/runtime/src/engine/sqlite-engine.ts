import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { searchFileOf } from "@lamplight/search";
import {
  assertSqliteStoreFile,
  backupSqliteStore,
  openBulkLoad,
  openSqliteDocuments,
  openSqliteExport,
  openSqliteImport,
  openSqliteReader,
  openSqliteStore,
  planSqliteMigration,
  readSqliteCoverageRequest,
  requestSqliteCoverage,
} from "@lamplight/store-sqlite";

import type { StoreEngine } from "./store-engine.ts";
import { unknownStore } from "./unknown-store.ts";

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
  planMigration: async (url) => planSqliteMigration(fileOf(url)),
  sibling(url, name) {
    const file = fileOf(url);
    return `sqlite:${join(dirname(file), `${name}-${basename(file)}`)}`;
  },
  async assertWritable(url, use) {
    assertSqliteStoreFile(fileOf(url), { create: use === "create" });
  },
  async openReader(url, { viewsMax }) {
    const file = fileOf(url);
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
    return openSqliteStore({
      file: create ? fileOf(url) : existingFileOf(url),
      mode: "write",
      checkpoints: follows ? "thread" : "commits",
      ...(onProblem === undefined ? {} : { onProblem }),
    });
  },
  openDocuments: async (url) => openSqliteDocuments({ file: fileOf(url) }),
  requestCoverage: async (url, edit) => requestSqliteCoverage(fileOf(url), edit),
  readCoverageRequest: async (url) => readSqliteCoverageRequest(fileOf(url)),
  async openBulkLoad(url, { holdings, fileBytesMax }) {
    return openBulkLoad({
      file: fileOf(url),
      ...(holdings === undefined ? {} : { holdings }),
      ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
    });
  },
  openCopy: {
    from: async (url) => openSqliteExport(existingFileOf(url)),
    to: async (url, holdings) => openSqliteImport({ file: fileOf(url), holdings }),
  },
  async drop(url) {
    const file = fileOf(url);
    for (const suffix of suffixes) await rm(`${file}${suffix}`, { recursive: true, force: true });
  },
  backup: async (url, options) => backupSqliteStore({ from: existingFileOf(url), ...options }),
  openKeyTables: null,
};
