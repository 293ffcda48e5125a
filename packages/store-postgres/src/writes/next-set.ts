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
  type NextSet,
  type NumberedAsset,
  type SeenAsset,
  shareDone,
} from "@lamplight/core";
import { mapKeyOf } from "../columns/keys.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { readAssetsById } from "../queries/read-asset-page.ts";
import type { AlsoWrite } from "./commit.ts";
import { writeNextRows } from "./next-rows.ts";
import { assetRows, type KnownAsset, putAssetRowsAs, removeKnown } from "./write-assets.ts";
import { writeUnfinalized } from "./write-unfinalized.ts";
import type { WriterSession } from "./writer-session.ts";
import { assertStillWriter, type HeadDraft } from "./write-head.ts";

/** Rows of the next set that are read at once when it is finished. */
const ROWS_PER_PAGE = 1000;

const beforeAll = new Uint8Array(0);

const clearRows = statement("DELETE FROM asset_next");
/** With the ordinals of assets that are there. */
const pageOfRows = statement(
  `SELECT asset_next.id, body, ord FROM asset_next LEFT JOIN asset ON asset.id = asset_next.id
WHERE asset_next.id > $1 ORDER BY asset_next.id LIMIT $2`,
);
const pageOfSeen = statement("SELECT id FROM asset_seen WHERE id > $1 ORDER BY id LIMIT $2");
const readMeta = statement("SELECT key, value FROM meta WHERE key = ANY ($1::text[])");
const putMeta = statement(
  "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
);
const removeMeta = statement("DELETE FROM meta WHERE key = $1");
const raiseRevision = statement("UPDATE head SET settings_revision = settings_revision + 1 WHERE id = 1");

type CommitWith = (changes: ChangeSet, also: AlsoWrite) => Promise<CommitReceipt>;

/**
 * @param commitWith - commits changes, and writes more before the head row
 * @param removeForeign - removes published slots of another writer, which nothing derives by the rules of the set
 */
export const createNextSet = (
  writer: WriterSession,
  commitWith: CommitWith,
  removeForeign: (session: Session) => Promise<void>,
): NextSet => {
  const write = (body: (session: Session) => Promise<void>): Promise<void> =>
    writer.write(async (session) => {
      await body(session);
      await assertStillWriter(session, writer.epoch);
    });
  return {
    begin: (version) =>
      write(async (session) => {
        await session.run(clearRows);
        await putProgress(session, version === null ? null : { version, after: null, isFilled: false });
        await session.run(raiseRevision);
      }),
    readSeenPage: (after, limit) => writer.read((session) => readSeenPage(session, after, limit)),
    fill: (rows, progress) =>
      write(async (session) => {
        await removeForeign(session);
        await writeNextRows(session, rows);
        const { next } = await readDerivation(session);
        if (isNews(next, progress)) await session.run(raiseRevision);
        await putProgress(session, progress);
      }),
    finish: (version, last, decode, shown) =>
      commitWith(last, async (session, head) => {
        await applyNext(session, head, last, decode);
        await session.run(clearRows);
        await putProgress(session, null);
        await session.run(putMeta, DERIVATION_KEY, String(version));
        head.settingsRevision += 1;
        if (shown !== undefined) await writeUnfinalized(session, shown, writer.epoch);
      }),
  };
};

/** Reads the rules behind the assets. */
export const readDerivation = async (session: Session): Promise<DerivationState> => {
  const rows = await session.all(readMeta, arrayParameter("text", [DERIVATION_KEY, NEXT_DERIVATION_KEY]));
  const meta = new Map(rows.map(([key, value]) => [key as string, value as string]));
  return derivationStateOf((key) => meta.get(key));
};

const putProgress = async (session: Session, progress: NextProgress | null): Promise<void> => {
  if (progress === null) await session.run(removeMeta, NEXT_DERIVATION_KEY);
  else await session.run(putMeta, NEXT_DERIVATION_KEY, JSON.stringify(progress));
};

/** Readers read their settings again for each percent, and not for each page. */
const isNews = (before: NextProgress | null, now: NextProgress): boolean =>
  before === null || Math.floor(100 * shareDone(before)) !== Math.floor(100 * shareDone(now));

const readSeenPage = async (
  session: Session,
  after: AddressBytes | null,
  limit: number,
): Promise<readonly SeenAsset[]> => {
  const ids = (await session.all(pageOfSeen, after ?? beforeAll, limit)).map(([id]) => id as Uint8Array);
  const assets = new Map(
    (await readAssetsById(session, ids)).map((asset) => [mapKeyOf(asset.id), asset] as const),
  );
  return ids.map((id) => ({ id, asset: assets.get(mapKeyOf(id)) ?? null }));
};

/**
 * Writes the assets of the next set over those that answer. The next page is on its way before this one is written, and is
 * decoded while the server writes.
 *
 * @param last - written already, and newer
 */
const applyNext = async (
  session: Session,
  head: HeadDraft,
  { assets, assetsRemoved }: ChangeSet,
  decode: (body: Uint8Array) => Asset | null,
): Promise<void> => {
  const newer = new Set([...assets.map(({ id }) => id), ...assetsRemoved].map(mapKeyOf));
  let written: Promise<unknown> = Promise.resolve();
  const readPage = (after: AddressBytes): Promise<readonly PageRow[]> =>
    session.all(pageOfRows, after, ROWS_PER_PAGE) as Promise<readonly PageRow[]>;
  let page = await readPage(beforeAll);
  while (page.length > 0) {
    const next = readPage(page.at(-1)![0]);
    const rows = page.filter(([id]) => !newer.has(mapKeyOf(id)));
    written = Promise.all([written, writePage(session, head, rows, decode)]);
    // It is awaited later.
    written.catch(() => {});
    // The first statement that fails ends the transaction, and its error has the reason.
    page = await next.catch(async (error: unknown) => {
      await written;
      throw error;
    });
  }
  await written;
};

type PageRow = readonly [id: AddressBytes, body: Uint8Array, ordinal: bigint | null];

/** The head changes before anything is sent. */
const writePage = async (
  session: Session,
  head: HeadDraft,
  rows: readonly PageRow[],
  decode: (body: Uint8Array) => Asset | null,
): Promise<void> => {
  const put: NumberedAsset[] = [];
  const removed: KnownAsset[] = [];
  for (const [id, body, known] of rows) {
    const asset = decode(body);
    if (asset !== null) {
      const ordinal = known === null ? (head.nextOrdinal += 1) - 1 : Number(known);
      put.push({ ...asset, ordinal, changeSeq: (head.changeSeq += 1) });
    } else if (known !== null) removed.push([id, known]);
  }
  const knownIds = rows.flatMap(([id, , known]) => (known === null ? [] : [[id] as const]));
  await Promise.all([removeKnown(session, removed, head), putAssetRowsAs(session, assetRows(put), knownIds)]);
};
