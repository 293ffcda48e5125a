import { LamplightError } from "@lamplight/errors";

import { loadFolderOf } from "./load-folder.ts";
import { defaultSearchCache, searchFileIn } from "./search-cache.ts";
import type { StoreEngine } from "./store-engine.ts";
import { urlWithoutSecrets } from "./unknown-store.ts";

/** Loaded when it is needed: few installations use it. */
const load = () => import("@lamplight/store-shards");

/** A store over several PostgreSQL databases: `shards://HOST/DATABASE?shard=URL&shard=URL`. Experimental. */
export const shardsEngine: StoreEngine = {
  name: "PostgreSQL shards",
  schemes: ["shards"],
  sharesUnfinalized: true,
  keepsNextSet: false,
  fileOf: () => null,
  nameOf: urlWithoutSecrets,
  autoMigrate: (url) => url,
  async planMigration(url) {
    throw new LamplightError("STORE__NO_SUCH_USE", {
      store: urlWithoutSecrets(url),
      use: "be planned",
      instead: "run lamplight migrate without --dry-run",
    });
  },
  sibling(url, name) {
    if (!URL.canParse(url)) return url;
    const changed = new URL(url);
    const shards = changed.searchParams.getAll("shard").map((shard) => withSchema(shard, name));
    changed.searchParams.delete("shard");
    changed.searchParams.set("schema", name);
    for (const shard of shards) changed.searchParams.append("shard", shard);
    return changed.href;
  },
  async assertWritable(url) {
    (await load()).parseShardsUrl(url);
  },
  async openReader(url, { patient = false, searchCache, viewsMax, viewsIdle }) {
    const { openShardsReader } = await load();
    const reader = await openShardsReader({
      url,
      sessionsMax: viewsMax,
      idleMax: viewsIdle,
      ...(patient ? { statementTimeoutMs: 0 } : {}),
    });
    return {
      openView: (commitment, opening) => reader.openView(commitment, opening),
      searchFile: searchFileIn(searchCache ?? defaultSearchCache(process.env), urlWithoutSecrets(url)),
      unfinalized: reader,
      isImmutable: false,
      servers: () => reader.servers(),
      close: () => reader.close(),
    };
  },
  async openWriter(url, { create, onProblem }) {
    const { openShardsStore } = await load();
    return openShardsStore({ url, mode: "write", create, ...(onProblem === undefined ? {} : { onProblem }) });
  },
  openDocuments: async (url) => (await load()).openShardsDocuments(url),
  requestCoverage: "a store with several shards keeps the coverage that it was loaded with",
  // Nothing can be asked for.
  readCoverageRequest: async () => null,
  async openBulkLoad(url, { workFolder, holdings }) {
    const { openShardsLoad, parseShardsUrl } = await load();
    return openShardsLoad({
      url,
      folder: loadFolderOf(parseShardsUrl(url).coordinator, workFolder),
      ...(holdings === undefined ? {} : { holdings }),
    });
  },
  openCopy: {
    from: async (url) => (await load()).openShardsExport(url),
    to: async (url, holdings) => (await load()).openShardsImport({ url, holdings }),
  },
  drop: async (url) => (await load()).dropShardsStore(url),
  backup: "the databases of a store with several shards are backed up by pg_dump while no process writes it",
  openKeyTables: null,
};

const withSchema = (shard: string, schema: string): string => {
  if (!URL.canParse(shard)) return shard;
  const changed = new URL(shard);
  changed.searchParams.set("schema", schema);
  return changed.href;
};
