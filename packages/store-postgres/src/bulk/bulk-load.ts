import { mkdirSync, rmSync } from "node:fs";
import type {
  BulkLoad,
  Coverage,
  DerivedWrites,
  EncodingOptions,
  LedgerState,
  Watermark,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "../engine/location.ts";
import type { CopiedAccounts } from "./copied-accounts.ts";
import type { CopiedAssets, CopiedLinks } from "./copied-assets.ts";
import { DatabaseLoad } from "./database-load.ts";
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

class PostgresBulkLoad implements BulkLoad {
  readonly folder: string;
  readonly rowEncoderUrl = rowEncoderUrl;
  readonly encoding: EncodingOptions;
  readonly #database: DatabaseLoad;
  #assets = 0;
  #watermark: Watermark | null = null;

  constructor(folder: string, place: LoadPlace, holdings: boolean) {
    this.folder = folder;
    this.encoding = { holdings };
    this.#database = new DatabaseLoad(place, holdings);
  }

  insertRows(rows: CopiedAccounts): Promise<void> {
    return this.#database.insertRows(rows);
  }

  async finishAccounts(watermark: Watermark): Promise<number> {
    this.#watermark = watermark;
    return this.#database.finishAccounts();
  }

  async openDerived(): Promise<DerivedWrites> {
    return {
      insertLedger: (ledger: readonly LedgerState[]) => this.#database.insertLedger(ledger),
      insertLinks: (page) => this.#database.insertLinks(page as CopiedLinks),
      insertAssets: (page) => this.#insertAssets(page as CopiedAssets),
      close: async () => undefined,
    };
  }

  countIncompleteTrees(): Promise<number> {
    return this.#database.countIncompleteTrees();
  }

  async publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
  ): Promise<void> {
    await this.#database.buildIndexes(onStep);
    onStep("mark");
    const [watermark, assets] = [this.#watermark, this.#assets];
    await this.#database.finish({ watermark, assets, coverage, notes });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #insertAssets(page: CopiedAssets): Promise<void> {
    await this.#database.insertAssets(page, this.#assets);
    this.#assets += page.count;
  }
}
