import { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { readSettings, type StoreSettings, type ViewHead } from "../queries/read-head.ts";

/** Settings by their revision: read again only when a view sees another one. */
class SettingsCache {
  #revision = -1;
  #settings: StoreSettings | null = null;

  /** As last read; null before. */
  get latest(): StoreSettings | null {
    return this.#settings;
  }

  /** Null where they are not known yet. */
  known(revision: number): StoreSettings | null {
    return this.#revision === revision ? this.#settings : null;
  }

  async at(revision: number, session: Session): Promise<StoreSettings> {
    if (this.#settings !== null && this.#revision === revision) return this.#settings;
    const settings = await readSettings(session);
    this.#settings = settings;
    this.#revision = revision;
    return settings;
  }
}

/** What the views of one reader need not read each for itself. */
export interface Knowledge {
  readonly programs: ProgramDictionary;
  readonly settings: SettingsCache;
}

/**
 * Knowledge of one history of the store. A database that was put back gives the numbers of programs and of settings again,
 * to others: then it restarts. So it does with every writer, since anyone who puts a database back starts one.
 */
export class SharedKnowledge {
  #seen: ViewHead | null = null;
  #knowledge: Knowledge = restartSource();

  /** Whether assets take anything from off-chain documents, as far as is known. */
  get hasContents(): boolean {
    return this.#knowledge.settings.latest?.hasContents === true;
  }

  at(head: ViewHead): Knowledge {
    if (this.#seen !== null && !isLater(head, this.#seen)) this.#knowledge = restartSource();
    this.#seen = head;
    return this.#knowledge;
  }
}

const restartSource = (): Knowledge => ({ programs: new ProgramDictionary(), settings: new SettingsCache() });

const isLater = (head: ViewHead, before: ViewHead): boolean =>
  head.writer === before.writer &&
  head.changeSeq >= before.changeSeq &&
  head.settingsRevision >= before.settingsRevision &&
  (head.slot ?? -1) >= (before.slot ?? -1);
