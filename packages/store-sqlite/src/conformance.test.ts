import {
  type CopySetup,
  type CrashSetup,
  describeStoreConformance,
  type StoreUnderTest,
} from "@lamplight/store-conformance";
import { afterAll } from "vitest";
import { openSqliteExport } from "./copy/export-store.ts";
import { openSqliteImport } from "./copy/import-store.ts";
import { openSqliteDocuments } from "./offchain/open-sqlite-documents.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { openSqliteReader } from "./reader/open-sqlite-reader.ts";
import { temporaryFile } from "../test/temporary-file.ts";

const removals: (() => void)[] = [];
afterAll(() => {
  for (const remove of removals) remove();
});

const openBoth = (file: string): StoreUnderTest => {
  const store = openSqliteStore({ file, mode: "write" });
  const reader = openSqliteReader({ file });
  return {
    store,
    reader,
    openDocuments: async () => openSqliteDocuments({ file }),
    close: async () => {
      reader.close();
      await store.close();
    },
  };
};

const createFile = (): string => {
  const { file, remove } = temporaryFile();
  removals.push(remove);
  return file;
};

const createLocation = (): Promise<string> => Promise.resolve(createFile());

const crash: CrashSetup = {
  createLocation,
  writerModule: new URL("../test/crash-writer-module.ts", import.meta.url),
  open: (location) => Promise.resolve(openBoth(location)),
  openReader: (location) => {
    const reader = openSqliteReader({ file: location });
    return Promise.resolve({ reader, close: () => reader.close() });
  },
};

const copy: CopySetup = {
  createLocation,
  openStore: async (location) => openSqliteStore({ file: location, mode: "write" }),
  open: (location) => Promise.resolve(openBoth(location)),
  openExport: async (location) => openSqliteExport(location),
  openImport: async (location, holdings) => openSqliteImport({ file: location, holdings }),
};

describeStoreConformance("sqlite", () => Promise.resolve(openBoth(createFile())), crash, copy);
