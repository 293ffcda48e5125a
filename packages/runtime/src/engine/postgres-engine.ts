import { nameOfPostgresUrl, readPostgresUrl, writePostgresUrl } from "@lamplight/store-postgres/url";

import { loadFolderOf } from "./load-folder.ts";
import { defaultSearchCache, searchFileIn } from "./search-cache.ts";
import type { StoreEngine } from "./store-engine.ts";
import { urlWithoutSecrets } from "./unknown-store.ts";

/** Loaded when it is needed, because every other start would pay for the driver too. */
const load = () => import("@lamplight/store-postgres");

/** The standard parser of URLs reads one host only. */
const nameOf = (text: string): string => {
  const url = readPostgresUrl(text);
  if (url === null || url.servers.length === 1) return urlWithoutSecrets(text);
  return nameOfPostgresUrl(url, url.first.searchParams.get("schema"));
};

/** A store in a schema of a database: `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?schema=NAME`. */
export const postgresEngine: StoreEngine = {
  name: "PostgreSQL",
  schemes: ["postgres", "postgresql"],
  sharesUnfinalized: true,
  keepsNextSet: true,
  fileOf: () => null,
  nameOf,
  autoMigrate: (url) => withParameter(url, "auto_migrate", "on"),
  planMigration: async (url) => (await load()).planPostgresMigration(url),
  sibling: (url, name) => withParameter(url, "schema", name),
  async assertWritable(url) {
    (await load()).parsePostgresUrl(url);
  },
  async openReader(
    url,
    { patient = false, searchCache, viewsMax, viewsIdle, withWriter = false, answered, onServer },
  ) {
    const { openPostgresReader } = await load();
    const reader = await openPostgresReader({
      url: withWriter && isOfSeveral(url) ? withParameter(url, "target_session_attrs", "read-write") : url,
      answered,
      onServer,
      sessionsMax: viewsMax,
      idleMax: viewsIdle,
      // A check may read a distributed store while no process writes it.
      ...(patient ? { statementTimeoutMs: 0, refuseMixedSlots: false } : {}),
    });
    return {
      openView: reader.openView.bind(reader),
      searchFile: searchFileIn(searchCache ?? defaultSearchCache(process.env), nameOf(url)),
      servers: () => reader.servers(),
      unfinalized: reader,
      isImmutable: false,
      close: () => reader.close(),
    };
  },
  async openWriter(url, { create, follows = false, migrates }) {
    const { openPostgresStore } = await load();
    return openPostgresStore({
      url,
      mode: "write",
      create,
      refuseMixedSlots: follows,
      ...(migrates === undefined ? {} : { migrates }),
    });
  },
  openDocuments: async (url) => (await load()).openPostgresDocuments({ url }),
  requestCoverage: async (url, edit) => (await load()).requestPostgresCoverage(url, edit),
  readCoverageRequest: async (url) => (await load()).readPostgresCoverageRequest(url),
  async openBulkLoad(url, { workFolder, holdings }) {
    const { openPostgresBulkLoad } = await load();
    return openPostgresBulkLoad({
      url,
      folder: loadFolderOf(url, workFolder),
      ...(holdings === undefined ? {} : { holdings }),
    });
  },
  openCopy: {
    from: async (url) => (await load()).openPostgresExport(url),
    to: async (url, holdings) => (await load()).openPostgresImport({ url, holdings }),
  },
  drop: async (url) => (await load()).dropPostgresStore(url),
  openKeyTables: async (url) => new (await load()).PostgresKeyTables(url),
  backup: "a store in PostgreSQL is backed up by pg_dump or continuous archiving",
};

const isOfSeveral = (url: string): boolean => (readPostgresUrl(url)?.servers.length ?? 0) > 1;

const withParameter = (text: string, name: string, value: string): string => {
  const url = readPostgresUrl(text);
  if (url === null) return text;
  url.first.searchParams.set(name, value);
  return writePostgresUrl(url);
};
