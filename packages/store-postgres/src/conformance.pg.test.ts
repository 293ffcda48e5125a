import {
  describePostgres,
  openReused,
  reusedStores,
  startPostgres,
  type TestPostgres,
} from "@lamplight/postgres-test";
import {
  type CopySetup,
  type CrashSetup,
  describeStoreConformance,
  type StoreUnderTest,
} from "@lamplight/store-conformance";
import { afterAll, beforeAll } from "vitest";
import { openPostgresExport } from "./copy/export-store.ts";
import { openPostgresImport } from "./copy/import-store.ts";
import { openPostgresDocuments } from "./offchain/open-postgres-documents.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { openPostgresReader } from "./reader/open-postgres-reader.ts";

const openBoth = async (url: string): Promise<StoreUnderTest> => {
  const store = await openPostgresStore({ url, mode: "write" });
  const reader = await openPostgresReader({ url });
  return {
    store,
    reader,
    openDocuments: () => openPostgresDocuments({ url }),
    close: async () => {
      reader.close();
      await store.close();
    },
  };
};

describePostgres("a store in PostgreSQL", () => {
  let postgres: TestPostgres;
  let schemas = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  /** A schema of its own per store. */
  const newStore = (): string => `${postgres.url}?schema=store_${(schemas += 1)}`;
  const createLocation = async (): Promise<string> => newStore();
  const stores = reusedStores(newStore, async (url) => {
    const store = await openPostgresStore({ url, mode: "write" });
    await store.close();
  });

  const crash: CrashSetup = {
    createLocation,
    writerModule: new URL("../test/crash-writer-module.ts", import.meta.url),
    open: openBoth,
    openReader: async (location) => {
      const reader = await openPostgresReader({ url: location });
      return { reader, close: () => reader.close() };
    },
  };
  const copy: CopySetup = {
    createLocation,
    openStore: (location) => openPostgresStore({ url: location, mode: "write" }),
    open: openBoth,
    openExport: openPostgresExport,
    openImport: (location, holdings) => openPostgresImport({ url: location, holdings }),
  };

  describeStoreConformance("postgres", () => openReused(stores, openBoth), crash, copy);
});
