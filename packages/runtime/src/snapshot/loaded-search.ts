import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { searchFileOf, startSearchLife } from "@lamplight/search";
import { engineOf } from "../engine/engines.ts";
import { openStoreForReading } from "../store/open-store.ts";

/** The search index, saved next to the store. A server without it fills its own. */
export class LoadedSearch {
  readonly #store: string;
  readonly #draft: string;

  /** @param folder - of the load */
  constructor(store: string, folder: string) {
    this.#store = store;
    this.#draft = join(folder, "draft.search");
  }

  /** @param draft - URL of the finished store, which is not published yet */
  async fill(draft: string): Promise<void> {
    rmSync(this.#draft, { force: true });
    const reader = await openStoreForReading(draft);
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
    const file = engineOf(this.#store).fileOf(this.#store);
    if (file !== null && existsSync(this.#draft)) renameSync(this.#draft, searchFileOf(file));
  }
}
