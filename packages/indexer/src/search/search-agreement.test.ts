import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ViewSource, ReadView } from "@lamplight/core";
import { describeSearchConformance } from "@lamplight/store-conformance";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { type SearchLife, startSearchLife } from "@lamplight/search";

/** A reader whose own search must not be asked: what answers is the index in memory. */
const withoutOwnSearch = (reader: ViewSource): ViewSource => ({
  openView: async (commitment) => {
    const view = await reader.openView(commitment);
    return new Proxy(view, {
      get: (target, name) => {
        if (name === "search")
          return {
            searchAssets: (): never => {
              throw new Error("the store's own search was asked");
            },
          };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }) as ReadView;
  },
});

describeSearchConformance("the index in memory over SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "search-agreement-"));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  const reader = openSqliteReader({ file });
  let life: Promise<SearchLife> | null = null;
  // A store can only be read from its first commit on.
  const start = async (): Promise<SearchLife> => {
    const started = await startSearchLife({ viewSource: withoutOwnSearch(reader), file: null });
    await started.filled;
    return started;
  };
  return {
    store,
    reader: { openView: async (commitment) => (await (life ??= start())).viewSource.openView(commitment) },
    close: async () => {
      await (await life)?.close();
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
