import type { Coverage, LedgerState, Watermark } from "@lamplight/core";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { statement } from "../engine/statement.ts";
import { putNotes } from "../writes/put-notes.ts";
import { AccountFiller } from "./account-filler.ts";
import type { CopiedAccounts } from "./copied-accounts.ts";
import type { CopiedAssets, CopiedLinks } from "./copied-assets.ts";
import { ListFiller } from "./list-filler.ts";
import type { LoadPlace } from "./load-place.ts";

/** A database records this of a store that is loaded. */
export interface LoadedStore {
  readonly watermark: Watermark | null;
  /** Assets of the whole store: its next ordinal, and its newest change number. */
  readonly assets: number;
  readonly coverage: Coverage;
  readonly notes: Readonly<Record<string, string>>;
}

const countTrees = statement("SELECT count(*) FROM incomplete_tree");

/** A bulk load into one database: of a whole store, or of a part of its rows. */
export class DatabaseLoad {
  readonly #place: LoadPlace;
  readonly #accounts: AccountFiller;
  readonly #lists: ListFiller;

  constructor(place: LoadPlace, holdings: boolean) {
    this.#place = place;
    this.#accounts = new AccountFiller(place, new ProgramDictionary(), holdings);
    this.#lists = new ListFiller(place);
  }

  insertRows(rows: CopiedAccounts): Promise<void> {
    return this.#accounts.addRows(rows);
  }

  /** Returns the number of accounts here. */
  async finishAccounts(): Promise<number> {
    await this.#place.changeHead((_session, head) => this.#accounts.finish(head));
    await this.#place.assertAccounts(this.#accounts.accounts);
    return this.#accounts.accounts;
  }

  insertLedger(ledger: readonly LedgerState[]): Promise<void> {
    return this.#lists.addLedger(ledger);
  }

  insertLinks(page: CopiedLinks): Promise<void> {
    return this.#lists.addLinks(page);
  }

  /** @param before - assets of the pages before this one, in all databases */
  insertAssets(page: CopiedAssets, before: number): Promise<void> {
    return this.#lists.addAssets(page, before);
  }

  async countIncompleteTrees(): Promise<number> {
    return Number((await this.#place.writer.read((session) => session.get(countTrees)))?.[0]);
  }

  buildIndexes(onStep: (step: string) => void): Promise<void> {
    return this.#place.buildIndexes((name) => onStep(`index ${name}`));
  }

  /** The head row gets its slot. Until then, no view can be opened. */
  async finish({ watermark, assets, coverage, notes }: LoadedStore): Promise<void> {
    await this.#place.finish(async (session, head) => {
      head.slot = watermark?.slot ?? null;
      head.blockhash = watermark?.blockhash ?? null;
      head.nextOrdinal = assets;
      head.changeSeq = assets;
      head.settingsRevision += 1;
      await putNotes(session, { ...notes, coverage: JSON.stringify(coverage) });
    });
  }

  close(): Promise<void> {
    return this.#place.close();
  }
}
