import type { StoreHead, StoreImport, StoreRows, StoreTable } from "@lamplight/core";
import { AccountFiller } from "../bulk/account-filler.ts";
import { ListFiller } from "../bulk/list-filler.ts";
import { LoadPlace } from "../bulk/load-place.ts";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { offchainColumns, offchainValues } from "../offchain/offchain-row.ts";
import { putNotes } from "../writes/put-notes.ts";
import {
  type AssetTable,
  assetRows,
  assetTables,
  removalColumns,
  removalValues,
} from "../writes/write-assets.ts";
import {
  editionColumns,
  editionValues,
  linkColumns,
  linkValues,
  seenColumns,
  seenValues,
} from "../writes/write-lists.ts";

/**
 * A store made of the rows of another one, by COPY into an empty schema, indexes last.
 *
 * @param options.holdings - whether the other one indexes fungible holdings
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openPostgresImport = async ({ url, holdings }: PostgresImportOptions): Promise<StoreImport> =>
  new PostgresImport(await LoadPlace.open(parsePostgresUrl(url), holdings), holdings);

export interface PostgresImportOptions {
  readonly url: string;
  readonly holdings: boolean;
}

type Writers = {
  readonly [Table in StoreTable]: (rows: readonly StoreRows[Table][]) => Promise<unknown>;
};

/** An import into one database: of a whole store, or of a part of its rows. */
export class PostgresImport implements StoreImport {
  readonly #place: LoadPlace;
  readonly #filler: AccountFiller;
  readonly #writers: Writers;

  constructor(place: LoadPlace, holdings: boolean) {
    this.#place = place;
    this.#filler = new AccountFiller(place, new ProgramDictionary(), holdings);
    const lists = new ListFiller(place);
    this.#writers = {
      accounts: (rows) => this.#filler.addStates(rows),
      links: (rows) => place.copy("link", linkColumns, rows.map(linkValues)),
      ledger: (rows) => lists.addLedger(rows),
      assetsSeen: (rows) => place.copy("asset_seen", seenColumns, rows.map(seenValues)),
      editions: (rows) => place.copy("edition", editionColumns, rows.map(editionValues)),
      assets: async (rows) => {
        const tables = Object.entries(assetRows(rows)) as [
          AssetTable,
          ReturnType<typeof assetRows>[AssetTable],
        ][];
        for (const [table, values] of tables) await place.copy(table, assetTables[table], values);
      },
      assetsRemoved: (rows) => place.copy("asset_removed", removalColumns, rows.map(removalValues)),
      documents: (rows) => place.copy("offchain", offchainColumns, rows.map(offchainValues)),
    };
  }

  async write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): Promise<void> {
    await this.#writers[table](rows);
  }

  async finish(
    { watermark, changeSeq, nextOrdinal, coverage, notes }: StoreHead,
    onStep: (step: string) => void,
  ): Promise<void> {
    await this.#place.changeHead((_session, head) => this.#filler.finish(head));
    await this.#place.buildIndexes((name) => onStep(`index ${name}`));
    onStep("count");
    await this.#place.assertAccounts(this.#filler.accounts);
    await this.#place.finish(async (session, head) => {
      head.slot = watermark?.slot ?? null;
      head.blockhash = watermark?.blockhash ?? null;
      head.changeSeq = changeSeq;
      head.nextOrdinal = nextOrdinal;
      head.settingsRevision += 1;
      await putNotes(session, { ...notes, coverage: JSON.stringify(coverage) });
    });
  }

  close(): Promise<void> {
    return this.#place.close();
  }
}
