import type { LedgerState } from "@lamplight/core";
import { type AssetTable, assetTables } from "../writes/write-assets.ts";
import type { Columns } from "../writes/bulk.ts";
import {
  editionColumns,
  ledgerColumns,
  ledgerValues,
  linkColumns,
  seenColumns,
  writeIncompleteTrees,
} from "../writes/write-lists.ts";
import { type CopiedAssets, type CopiedLinks, numberAssets } from "./copied-assets.ts";
import type { LoadPlace } from "./load-place.ts";

/** Fills the tables of what is derived from accounts. */
export class ListFiller {
  readonly #place: LoadPlace;

  constructor(place: LoadPlace) {
    this.#place = place;
  }

  async addLedger(ledger: readonly LedgerState[]): Promise<void> {
    await this.#place.copy("ledger", ledgerColumns, ledger.map(ledgerValues));
    await this.#place.changeHead((session, head) => writeIncompleteTrees(session, ledger, head));
  }

  async addLinks({ links, seen }: CopiedLinks): Promise<void> {
    await this.#place.copyEncoded("link", namesOf(linkColumns), links);
    await this.#place.copyEncoded("asset_seen", namesOf(seenColumns), seen);
  }

  /**
   * @param before - assets of the pages before this one: ordinals begin at 0, change numbers at 1, as in a store that
   * commits them one by one
   */
  async addAssets(page: CopiedAssets, before: number): Promise<void> {
    numberAssets(page, before, before + 1);
    for (const [table, { bytes }] of Object.entries(page.tables)) {
      await this.#place.copyEncoded(table, namesOf(assetTables[table as AssetTable]), bytes);
    }
    await this.#place.copyEncoded("edition", namesOf(editionColumns), page.editions);
  }
}

const namesOf = (columns: Columns): readonly string[] => columns.map(([name]) => name);
