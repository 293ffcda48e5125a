import type { AddressBytes, Ordinal, Slot } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { type Delta, decodeSlotBody, encodeSlotBody } from "@lamplight/indexer";
import type { StoredDelta } from "@lamplight/store-postgres";

/** The numbers that a delta gives to one asset that it changes. */
export interface AssetNumbers {
  /** Its removal, with the ordinal that it had; null where it is not removed, or was not there. */
  readonly removed: { readonly ordinal: Ordinal; readonly changeSeq: number } | null;
  /** Its new state; null where it has none. */
  readonly put: { readonly ordinal: Ordinal; readonly changeSeq: number } | null;
}

/** The changes of one commit, with every number that the rows of the shards are to have. */
export interface NumberedDelta {
  readonly number: number;
  /** The slot of the store after it; null before the first watermark. */
  readonly slot: Slot | null;
  /** Change counter and next ordinal after it. */
  readonly changeSeq: number;
  readonly nextOrdinal: Ordinal;
  readonly delta: Delta;
  /** By the keys of `delta.assetChanges`, in their order. */
  readonly numbers: ReadonlyMap<string, AssetNumbers>;
  /** Size of its body as it is stored. */
  readonly bytes: number;
}

/** Newest first: the deltas above the settled one, up to that of a view. */
export type NumberedPath = readonly NumberedDelta[];

type Flat = readonly (number | null)[];

/** Numbers as one list, four for each asset, before the changes. */
export const encodeBody = async (
  delta: Delta,
  numbers: ReadonlyMap<string, AssetNumbers>,
): Promise<Uint8Array> => {
  const flat: Flat = [...delta.assetChanges.keys()].flatMap((key) => {
    const { removed, put } = numbers.get(key)!;
    return [
      removed?.ordinal ?? null,
      removed?.changeSeq ?? null,
      put?.ordinal ?? null,
      put?.changeSeq ?? null,
    ];
  });
  const head = Buffer.from(JSON.stringify(flat));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(head.length);
  return Buffer.concat([size, head, await encodeSlotBody({ reported: null, changes: delta })]);
};

export const decodeDelta = async (stored: StoredDelta): Promise<NumberedDelta> => {
  const { body, ...rest } = stored;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const size = bytes.readUInt32BE(0);
  const content = await decodeSlotBody(bytes.subarray(4 + size));
  if (content === null || content === "missing")
    throw brokenInvariant(`delta ${stored.number} was written by another version`);
  const flat = JSON.parse(bytes.toString("utf8", 4, 4 + size)) as Flat;
  const numbers = new Map(
    [...content.changes.assetChanges.keys()].map((key, index) => [
      key,
      { removed: pairOf(flat, 4 * index), put: pairOf(flat, 4 * index + 2) },
    ]),
  );
  return { ...rest, delta: content.changes, numbers, bytes: body.length };
};

const pairOf = (flat: Flat, at: number): AssetNumbers["put"] => {
  const [ordinal, changeSeq] = [flat[at] ?? null, flat[at + 1] ?? null];
  return ordinal === null || changeSeq === null ? null : { ordinal, changeSeq };
};

/** The change counter before a path, or at the view where the path is empty. */
export const changeSeqBefore = (path: NumberedPath, changeSeq: number): number => {
  const oldest = path.at(-1);
  if (oldest === undefined) return changeSeq;
  let given = 0;
  for (const { removed, put } of oldest.numbers.values())
    given += Number(removed !== null) + Number(put !== null);
  return oldest.changeSeq - given;
};

/** An asset with its key, its id and its newest numbers on a path. */
export const newestNumbers = (path: NumberedPath, key: string): AssetNumbers | undefined => {
  for (const { numbers } of path) {
    const found = numbers.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Ids of the assets that a path changes. */
export const touchedAssets = (path: NumberedPath): readonly AddressBytes[] =>
  path.flatMap(({ delta }) => [...delta.assetChanges.values()].map(({ id }) => id));
