import { join } from "node:path";
import { LamplightError } from "@lamplight/errors";

import { defaultSearchCache, searchFileIn } from "./search-cache.ts";
import type { StoreEngine } from "./store-engine.ts";
import { urlWithoutSecrets } from "./unknown-store.ts";

/** Loaded when it is needed, because every other start would pay for the driver too. */
const load = () => import("@lamplight/store-postgres");

/** A store in a schema of a database: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. */
export const postgresEngine: StoreEngine = {
  name: "PostgreSQL",
  schemes: ["postgres", "postgresql"],
  sharesUnfinalized: true,
  fileOf: () => null,
  nameOf: urlWithoutSecrets,
  acceptMixedSlots: (url) => withParameter(url, "accept_mixed_slots", "on"),
  sibling: (url, name) => withParameter(url, "schema", name),
  async assertWritable(url) {
    (await load()).parsePostgresUrl(url);
  },
  async openReader(url, { patient = false, searchCache, viewsMax, viewsIdle }) {
    const { openPostgresReader } = await load();
    const reader = await openPostgresReader({
      url,
      sessionsMax: viewsMax,
      idleMax: viewsIdle,
      // A check may read a distributed store while no process writes it.
      ...(patient ? { statementTimeoutMs: 0, refuseMixedSlots: false } : {}),
    });
    return {
      openView: reader.openView.bind(reader),
      searchFile: searchFileIn(searchCache ?? defaultSearchCache(process.env), urlWithoutSecrets(url)),
      unfinalized: reader,
      isStill: false,
      close: () => reader.close(),
    };
  },
  async openWriter(url, { create, follows = false }) {
    const { openPostgresStore } = await load();
    return openPostgresStore({ url, mode: "write", create, refuseMixedSlots: follows });
  },
  async openBulkLoad(url, { workFolder, holdings }) {
    const { openPostgresBulkLoad } = await load();
    return openPostgresBulkLoad({
      url,
      folder: join(workFolder ?? ".", loadFolderOf(url)),
      ...(holdings === undefined ? {} : { holdings }),
    });
  },
  openCopy: {
    from: async (url) => (await load()).openPostgresExport(url),
    to: async (url, holdings) => (await load()).openPostgresImport({ url, holdings }),
  },
  drop: async (url) => (await load()).dropPostgresStore(url),
  backup: "a store in PostgreSQL is backed up by pg_dump or continuous archiving",
  async distribute(url) {
    const { spread, everywhere, already } = await (await load()).distributePostgresStore(url);
    return { spread: spread.length, everywhere: everywhere.length, already: already.length };
  },
};

const withParameter = (url: string, name: string, value: string): string => {
  if (!URL.canParse(url)) return url;
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
};

/**
 * A separate folder, since it is removed at the end. Its name follows from database and schema, so the next run finds
 * it.
 */
const loadFolderOf = (url: string): string => {
  if (!URL.canParse(url)) throw new LamplightError("STORE__URL", { url: "postgres://…" });
  const { host, pathname, searchParams } = new URL(url);
  const name = [host, pathname.slice(1), searchParams.get("schema") ?? "lamplight"].join("-");
  return `${name.replaceAll(/[^\w.-]/gu, "_")}.load`;
};
