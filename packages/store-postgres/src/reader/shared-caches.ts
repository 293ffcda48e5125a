import { ItemCache } from "@lamplight/core";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { readSettings, type StoreSettings, type ViewHead } from "../queries/read-head.ts";
import { TreeTops } from "../queries/tree-tops.ts";
import { CachedItems } from "./cached-items.ts";

/** Settings by their revision: read again only when a view sees another one. */
class SettingsCache {
  #revision = -1;
  #settings: StoreSettings | null = null;
  #reading: { readonly revision: number; readonly settings: Promise<StoreSettings> } | null = null;

  /** The settings as last read; null before. */
  get latest(): StoreSettings | null {
    return this.#settings;
  }

  /** Null where they are not known yet. */
  known(revision: number): StoreSettings | null {
    return this.#revision === revision ? this.#settings : null;
  }

  /** Views that ask for the same revision at once read it once. */
  async at(revision: number, session: Session): Promise<StoreSettings> {
    const known = this.known(revision);
    if (known !== null) return known;
    const reading = this.#reading;
    // Where the session of the view that reads is lost, or its caller has left, another one reads.
    if (reading?.revision === revision) return reading.settings.catch(() => this.at(revision, session));
    const settings = this.#read(revision, session);
    this.#reading = { revision, settings };
    return settings;
  }

  async #read(revision: number, session: Session): Promise<StoreSettings> {
    try {
      const settings = await readSettings(session);
      this.#settings = settings;
      this.#revision = revision;
      return settings;
    } finally {
      if (this.#reading?.revision === revision) this.#reading = null;
    }
  }
}

/** Data that the views of one reader cache together. */
export interface Caches {
  readonly programs: ProgramDictionary;
  readonly settings: SettingsCache;
  readonly items: CachedItems;
  readonly treeTops: TreeTops;
}

/**
 * Cached data of one history of the store. A restored database may assign the same numbers to other programs and
 * settings, so the cache is then cleared. Every new writer clears it, because a restore is followed by one.
 */
export class SharedCaches {
  /** One for all histories, so that its bound is that of the reader. */
  readonly #itemCache = new ItemCache();
  #seen: ViewHead | null = null;
  #caches: Caches = startAgain(this.#itemCache);

  /** Whether assets take anything from off-chain documents, as far as known. */
  get hasContents(): boolean {
    return this.#caches.settings.latest?.hasContents === true;
  }

  /** The programs whose numbers are known. They hold at a head only if `at` answers the same. */
  get programs(): ProgramDictionary {
    return this.#caches.programs;
  }

  /** The same of tops of trees. */
  get treeTops(): TreeTops {
    return this.#caches.treeTops;
  }

  /** The newest head that was seen. */
  get seen(): ViewHead | null {
    return this.#seen;
  }

  /**
   * A head that is older than `seen` now, but not older than `before`, is of a view that another view overtook. A head
   * that is older than `before`, or of another writer, may be of a restored database.
   *
   * @param before - `seen` when the head was requested
   */
  at(head: ViewHead, before: ViewHead | null): Caches {
    const seen = this.#seen;
    if (seen !== null && !isLater(head, seen)) {
      if (isLater(seen, head) && (before === null || isLater(head, before))) return this.#caches;
      this.#caches.items.end();
      this.#caches = startAgain(this.#itemCache);
    }
    this.#seen = head;
    return this.#caches;
  }
}

const startAgain = (itemCache: ItemCache): Caches => ({
  programs: new ProgramDictionary(),
  settings: new SettingsCache(),
  items: new CachedItems(itemCache),
  treeTops: new TreeTops(),
});

const isLater = (head: ViewHead, before: ViewHead): boolean =>
  head.writer === before.writer &&
  head.changeSeq >= before.changeSeq &&
  head.settingsRevision >= before.settingsRevision &&
  (head.slot ?? -1) >= (before.slot ?? -1);
