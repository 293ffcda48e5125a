import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import type { ChangeSet, Holding, Slot } from "@lamplight/core";
import { slotBodyBytesMax } from "./limits.ts";
import { mergePath } from "./merge-path.ts";
import { Delta } from "./delta.ts";

/** Raised whenever what is in a body changes: another version's bodies are not read. */
const format = 3;
/** Enough to make the database write a fifth; more would cost the writer its time. */
const level = 1;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

interface Body {
  /** See `DeltaSource`. */
  readonly reported: string | null;
  readonly changes: Omit<ChangeSet, "watermark">;
  readonly holdings: ReadonlyMap<string, readonly Holding[]>;
}

/** What a slot changes as bytes for another process of the same version: exact, big integers and bytes included. */
export const encodeSlotBody = (changes: Delta): Promise<Uint8Array> => {
  const { watermark: _, ...merged } = mergePath([changes], { slot: changes.slot, blockhash: null });
  const body: Body = { reported: changes.reported, changes: merged, holdings: changes.holdings };
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return compress(Buffer.concat([Uint8Array.of(format), serialize(body)]), { params });
};

/** Null for what another version wrote, and for what is larger than the bound. */
export const decodeSlotBody = async (slot: Slot, bytes: Uint8Array): Promise<Delta | null> => {
  const body = await readBody(bytes);
  if (body === null) return null;
  const part = { changes: { ...body.changes, watermark: null }, before: new Map() };
  return Delta.of(slot, [part], { reported: body.reported }, body.holdings);
};

/** A newer engine's form of the same values is another version too. */
const readBody = async (bytes: Uint8Array): Promise<Body | null> => {
  try {
    const plain = await decompress(bytes, { maxOutputLength: slotBodyBytesMax() });
    return plain[0] === format ? (deserialize(plain.subarray(1)) as Body) : null;
  } catch {
    return null;
  }
};
