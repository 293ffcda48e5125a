import {
  type StoreExport,
  type StoreImport,
  type StoreRows,
  type StoreTable,
  storeTables,
} from "@lamplight/core";

export interface CopyProgress {
  readonly table: StoreTable;
  /** Rows of this table. */
  readonly rows: number;
  /** 0 to 1 of this table; null where it is unknown. */
  readonly share: number | null;
}

export interface CopyOptions {
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly onStep?: (step: string) => void;
  readonly signal?: AbortSignal;
}

/** Rows moved, by table. */
export type CopyCounts = Readonly<Record<StoreTable, number>>;

/**
 * Copies all rows of a store into another one, a page at a time. Memory holds one page. The copy is published when it
 * is complete. Closes the export after the last row.
 */
export const copyStore = async (
  source: StoreExport,
  target: StoreImport,
  options: CopyOptions = {},
): Promise<CopyCounts> => {
  const counts: Partial<Record<StoreTable, number>> = {};
  for (const table of storeTables) counts[table] = await copyTable(table, source, target, options);
  await source.close();
  options.signal?.throwIfAborted();
  await target.finish(source.head, (step) => options.onStep?.(step));
  return counts as CopyCounts;
};

const copyTable = async <Table extends StoreTable>(
  table: Table,
  source: StoreExport,
  target: StoreImport,
  { onProgress, signal }: CopyOptions,
): Promise<number> => {
  let rows = 0;
  for await (const page of source.pages(table)) {
    signal?.throwIfAborted();
    await target.write(table, page);
    rows += page.length;
    const last = page.at(-1);
    const share = last === undefined ? null : (shares[table]?.(last, source) ?? null);
    onProgress?.({ table, rows, share });
  }
  return rows;
};

/** The share of a walk at a row: addresses are distributed evenly, ordinals have no gaps. */
const shares: { readonly [Table in StoreTable]?: (row: StoreRows[Table], source: StoreExport) => number } = {
  accounts: ({ current }) => {
    const prefix = Buffer.from(current.address.subarray(0, 4)).readInt32BE();
    return (prefix + 2 ** 31) / 2 ** 32;
  },
  assets: ({ ordinal }, { head }) => (ordinal + 1) / head.nextOrdinal,
};
