// Every row of the store in pages, as the writer and checks read them.

import {
  type AccountState,
  type AddressBytes,
  AddressSet,
  type Asset,
  type IndexReader,
  type Ordinal,
} from "@lamplight/core";
import { type NumberedPath, touchedAssets } from "../numbered-delta.ts";

type Listed = Asset & { readonly ordinal: Ordinal };
type Numbered = Listed & { readonly changeSeq: number };

interface Changed {
  readonly asset: Asset;
  readonly put: { readonly ordinal: Ordinal; readonly changeSeq: number };
}

/** Assets that the path changes, as they are at its end. */
const changedAssets = (path: NumberedPath): readonly Changed[] => {
  const found = new Map<string, Changed>();
  for (const { delta, numbers } of path.toReversed())
    for (const [key, { asset }] of delta.assetChanges) {
      const put = numbers.get(key)?.put ?? null;
      if (asset === null || put === null) found.delete(key);
      else found.set(key, { asset, put });
    }
  return [...found.values()];
};

/** A page of rows of all shards without those that the path touches, merged with those that it has. */
const mergedPage = async <Row>(
  pages: readonly Promise<readonly Row[]>[],
  { isTouched, added, compare, limit }: MergedPage<Row>,
): Promise<readonly Row[]> => {
  const stored = (await Promise.all(pages)).flat();
  return [...stored.filter((row) => !isTouched(row)), ...added].toSorted(compare).slice(0, limit);
};

interface MergedPage<Row> {
  readonly isTouched: (row: Row) => boolean;
  readonly added: readonly Row[];
  readonly compare: (a: Row, b: Row) => number;
  readonly limit: number;
}

export const listAssets = async (
  shards: readonly IndexReader[],
  path: NumberedPath,
  from: Ordinal,
  limit: number,
): Promise<readonly Listed[]> => {
  const touched = setOf(touchedAssets(path));
  const added = changedAssets(path)
    .filter(({ put }) => put.ordinal >= from)
    .map(({ asset, put: { ordinal } }) => ({ ...asset, ordinal }));
  return mergedPage<Listed>(
    shards.map(async (shard) => shard.readAssetPage(from, limit + touched.size)),
    { isTouched: ({ id }) => touched.has(id), added, compare: (a, b) => a.ordinal - b.ordinal, limit },
  );
};

export const listChangedAssets = async (
  shards: readonly IndexReader[],
  path: NumberedPath,
  changeSeq: number,
  limit: number,
): Promise<readonly Numbered[]> => {
  const touched = setOf(touchedAssets(path));
  return mergedPage<Numbered>(
    shards.map(async (shard) => shard.readAssetsChangedSince(changeSeq, limit + touched.size)),
    {
      isTouched: ({ id }) => touched.has(id),
      added: changedAssets(path)
        .filter(({ put }) => put.changeSeq > changeSeq)
        .map(({ asset, put }) => ({ ...asset, ...put })),
      compare: (a, b) => a.changeSeq - b.changeSeq,
      limit,
    },
  );
};

export const listAccountStates = async (
  shards: readonly IndexReader[],
  path: NumberedPath,
  after: AddressBytes | null,
  limit: number,
): Promise<readonly AccountState[]> => {
  const touched = new AddressSet();
  const added: AccountState[] = [];
  for (const { delta } of path)
    for (const { state } of delta.accounts) {
      const { address } = state.current;
      if (touched.has(address)) continue;
      touched.add(address);
      if (after === null || Buffer.compare(address, after) > 0) added.push(state);
    }
  return mergedPage<AccountState>(
    shards.map(async (shard) => shard.readAccountPage(after, limit + touched.size)),
    {
      isTouched: ({ current }) => touched.has(current.address),
      added,
      compare: (a, b) => Buffer.compare(a.current.address, b.current.address),
      limit,
    },
  );
};

const setOf = (addresses: readonly AddressBytes[]): AddressSet => {
  const set = new AddressSet();
  for (const address of addresses) set.add(address);
  return set;
};
