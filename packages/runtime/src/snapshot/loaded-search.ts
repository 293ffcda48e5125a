import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { searchFileOf, startSearchLife } from "@lamplight/search";
import { parseStoreUrl } from "../store/store-url.ts";
import { openSqliteReader } from "@lamplight/store-sqlite";

/** The search index, saved next to the store. A server without it fills its own. */
export class LoadedSearch {
  readonly #store: string;
  readonly #draft: string;

  /** @param folder - of the load */
  constructor(store: string, folder: string) {
    this.#store = store;
    this.#draft = join(folder, "draft.search");
  }

  /** @param file - the finished store, which is not published yet */
  async fill(file: string): Promise<void> {
    rmSync(this.#draft, { force: true });
    const reader = openSqliteReader({ file });
    try {
      const failed = new AbortController();
      const life = await startSearchLife({
        viewSource: reader,
        file: this.#draft,
        onError: () => failed.abort(),
        signal: failed.signal,
      });
      await life.filled;
      await life.close();
    } finally {
      reader.close();
    }
  }

  /** Moves the index next to the store, if it was filled. */
  publish(): void {
    if (existsSync(this.#draft)) renameSync(this.#draft, searchFileOf(parseStoreUrl(this.#store).file));
  }
}
