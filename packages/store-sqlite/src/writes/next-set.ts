import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type AddressBytes,
  type Asset,
  type ChangeSet,
  type CommitReceipt,
  DERIVATION_KEY,
  type DerivationState,
  derivationStateOf,
  NEXT_DERIVATION_KEY,
  type NextProgress,
  type NextRow,
  type NextSet,
  type SeenAsset,
  shareDone,
} from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { prepareReadAssetPage } from "../queries/read-asset-page.ts";
import type { AssetWriter } from "./write-assets.ts";
import type { HeadDraft } from "./write-head.ts";

/** Rows of the next set that are read at once when it is finished. */
const ROWS_PER_PAGE = 1000;

const beforeAll = new Uint8Array(0);

/** Puts rows of the next set, or removes them. Part of a transaction. */
export const prepareWriteNextRows = (connection: Connection): ((rows: readonly NextRow[]) => void) => {
  const put = connection.prepare("INSERT OR REPLACE INTO asset_next (id, body) VALUES (?, ?)");
  const remove = connection.prepare("DELETE FROM asset_next WHERE id = ?");
  return (rows) => {
    for (const { id, body } of rows) {
      if (body === null) remove.run(id);
      else put.run(id, body);
    }
  };
};

/** Writes the assets of the next set over those that answer, page by page. Part of a transaction. */
export type ApplyNext = (head: HeadDraft, decode: (body: Uint8Array) => Asset | null) => Promise<void>;

export const prepareApplyNext = (connection: Connection, assets: AssetWriter): ApplyNext => {
  const page = connection.prepare("SELECT id, body FROM asset_next WHERE id > ? ORDER BY id LIMIT ?");
  return async (head, decode) => {
    let after: Uint8Array | undefined = beforeAll;
    while (after !== undefined) {
      const rows: readonly (readonly unknown[])[] = page.all(after, ROWS_PER_PAGE);
      for (const [id, body] of rows) {
        const asset = decode(body as Uint8Array);
        if (asset === null) assets.remove(id as Uint8Array, head);
        else assets.put(asset, head);
      }
      after = rows.at(-1)?.[0] as Uint8Array | undefined;
      await nextTurn();
    }
  };
};

/** Reads the rules behind the assets. */
export const prepareReadDerivation = (connection: Connection): (() => DerivationState) => {
  const readMeta = connection.prepare("SELECT value FROM meta WHERE key = ?");
  return () => derivationStateOf((key) => readMeta.get(key)?.[0] as string | undefined);
};

/** @param finish - commits the last changes behind `asset_next`, and then runs `also` in the same transaction */
export const prepareNextSet = (
  connection: Connection,
  finish: (
    last: ChangeSet,
    decode: (body: Uint8Array) => Asset | null,
    also: () => void,
  ) => Promise<CommitReceipt>,
): NextSet => {
  const putMeta = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  const removeMeta = connection.prepare("DELETE FROM meta WHERE key = ?");
  const clear = connection.prepare("DELETE FROM asset_next");
  const raiseRevision = connection.prepare("UPDATE head SET settings_revision = settings_revision + 1");
  const writeRows = prepareWriteNextRows(connection);
  const readSeen = prepareReadSeenPage(connection);
  const read = prepareReadDerivation(connection);
  const putProgress = (progress: NextProgress | null): void => {
    if (progress === null) removeMeta.run(NEXT_DERIVATION_KEY);
    else putMeta.run(NEXT_DERIVATION_KEY, JSON.stringify(progress));
  };
  return {
    begin: async (version) =>
      connection.write(() => {
        clear.run();
        putProgress(version === null ? null : { version, after: null, isFilled: false });
        raiseRevision.run();
      }),
    readSeenPage: async (after, limit) => readSeen(after, limit),
    fill: async (rows, progress) =>
      connection.write(() => {
        writeRows(rows);
        if (isNews(read().next, progress)) raiseRevision.run();
        putProgress(progress);
      }),
    finish: (version, last, decode) =>
      finish(last, decode, () => {
        clear.run();
        putProgress(null);
        putMeta.run(DERIVATION_KEY, String(version));
      }),
  };
};

/** Readers read their settings again for each percent, and not for each page. */
const isNews = (before: NextProgress | null, now: NextProgress): boolean =>
  before === null || Math.floor(100 * shareDone(before)) !== Math.floor(100 * shareDone(now));

const prepareReadSeenPage = (
  connection: Connection,
): ((after: AddressBytes | null, limit: number) => readonly SeenAsset[]) => {
  const page = connection.prepare(
    "SELECT asset_seen.id, asset.ord FROM asset_seen LEFT JOIN asset ON asset.id = asset_seen.id WHERE asset_seen.id > ? ORDER BY asset_seen.id LIMIT ?",
  );
  const readAssets = prepareReadAssetPage(connection);
  return (after, limit) =>
    page.all(after ?? beforeAll, limit).map(([id, ordinal]) => ({
      id: id as Uint8Array,
      asset: ordinal === null ? null : (readAssets(Number(ordinal), 1)[0] ?? null),
    }));
};
