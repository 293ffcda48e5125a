import { mkdirSync, rmSync } from "node:fs";
import type { BulkLoad, Coverage, DerivedWrites, LedgerState, Watermark } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { statement } from "../engine/statement.ts";
import { putNotes } from "../writes/put-notes.ts";
import { AccountFiller } from "./account-filler.ts";
import type { CopiedAccounts } from "./copied-accounts.ts";
import type { CopiedAssets, CopiedLinks } from "./copied-assets.ts";
import { ListFiller } from "./list-filler.ts";
import { LoadPlace } from "./load-place.ts";
import { rowEncoderUrl } from "./row-encoder-url.ts";

export interface PostgresBulkLoadOptions {
  /** URL of the new store: of an empty schema, or of an empty store. */
  readonly url: string;
  /** Folder for the files of this load; created if it does not exist. */
  readonly folder: string;
  /** Index fungible holdings? Default yes. */
  readonly holdings?: boolean;
}

/**
 * Builds a store in its schema, by COPY into tables without indexes. No reader can open it before `publish`. The next
 * load removes the rows of an interrupted one.
 *
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openPostgresBulkLoad = async (options: PostgresBulkLoadOptions): Promise<BulkLoad> => {
  const holdings = options.holdings ?? true;
  const place = await openPlace(options, holdings);
  mkdirSync(options.folder, { recursive: true });
  return new PostgresBulkLoad(options.folder, place, holdings);
};

const openPlace = async ({ url, folder }: PostgresBulkLoadOptions, holdings: boolean): Promise<LoadPlace> => {
  try {
    return await LoadPlace.open(parsePostgresUrl(url), holdings);
  } catch (error) {
    // A load that was stopped right after it finished left its folder behind.
    if (isLamplightError(error, "STORE__NOT_EMPTY")) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

const countTrees = statement("SELECT count(*) FROM incomplete_tree");

class PostgresBulkLoad implements BulkLoad {
  readonly folder: string;
  readonly rowEncoderUrl = rowEncoderUrl;
  readonly holdings: boolean;
  readonly #place: LoadPlace;
  readonly #accounts: AccountFiller;
  readonly #lists: ListFiller;
  #watermark: Watermark | null = null;

  constructor(folder: string, place: LoadPlace, holdings: boolean) {
    this.folder = folder;
    this.holdings = holdings;
    this.#place = place;
    this.#accounts = new AccountFiller(place, new ProgramDictionary(), holdings);
    this.#lists = new ListFiller(place);
  }

  insertRows(rows: CopiedAccounts): Promise<void> {
    return this.#accounts.addRows(rows);
  }

  /** The head row gets its slot with `publish`. Until then, no view can be opened. */
  async finishAccounts(watermark: Watermark): Promise<number> {
    await this.#place.changeHead((_session, head) => this.#accounts.finish(head));
    await this.#place.assertAccounts(this.#accounts.accounts);
    this.#watermark = watermark;
    return this.#accounts.accounts;
  }

  openDerived(): DerivedWrites {
    return {
      insertLedger: (ledger: readonly LedgerState[]) => this.#lists.addLedger(ledger),
      insertLinks: (page) => this.#lists.addLinks(page as CopiedLinks),
      insertAssets: (page) => this.#lists.addAssets(page as CopiedAssets),
      close: () => undefined,
    };
  }

  async countIncompleteTrees(): Promise<number> {
    return Number((await this.#place.writer.read((session) => session.get(countTrees)))?.[0]);
  }

  async publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
  ): Promise<void> {
    await this.#place.buildIndexes((name) => onStep(`index ${name}`));
    onStep("mark");
    await this.#place.finish(async (session, head) => {
      head.slot = this.#watermark?.slot ?? null;
      head.blockhash = this.#watermark?.blockhash ?? null;
      head.nextOrdinal = this.#lists.assets;
      head.changeSeq = this.#lists.assets;
      head.settingsRevision += 1;
      await putNotes(session, { ...notes, coverage: JSON.stringify(coverage) });
    });
  }

  close(): Promise<void> {
    return this.#place.close();
  }
}
