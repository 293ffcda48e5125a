import { decodeAddress } from "@lamplight/codecs";
import { jsonUriOf } from "../content/content-text.ts";
import { inheritsFrom } from "../content/text-facts.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { type SharedMembers, sharedMembers, withCollection, withContent } from "../shaping/join-asset.ts";
import { ITEM_DOCUMENT_BYTES_MAX, shortenContent, shortenParts } from "../shaping/shorten-content.ts";
import { shortenOwn } from "../shaping/shorten-own.ts";
import type { MethodSettings } from "./method-settings.ts";
import { read, readAll, rows, type Steps } from "./steps.ts";

/** Documents read as one statement: of the largest that are not cut, 16 MiB. */
export const ITEMS_PER_READ = 128;

/** The parts that the assets of one page share with others, read once. */
export class PageShares {
  readonly #collections = new Map<string, SharedMembers | null>();
  /** The parts that large off-chain documents add to an item, by URI. */
  readonly #contents = new Map<string, ShortParts>();
  /** Bytes that large documents of the page's own assets may still take whole. */
  #wholeLeft: number;

  constructor({ answerBytesMax }: Pick<MethodSettings, "answerBytesMax">) {
    this.#wholeLeft = answerBytesMax / 2;
  }

  /** Reads the collections that are not read yet. */
  *readCollections(from: Iterable<string>): Steps<void> {
    const unread = [...new Set(from)].filter((id) => !this.#collections.has(id));
    const found = yield* readAll<"ownAsset">(
      unread.map((id) => ({ kind: "ownAsset", id: decodeAddress(id) })),
    );
    let bytes = 0;
    for (const [index, id] of unread.entries()) {
      const collection = found[index] ?? null;
      bytes += collection?.document.length ?? 0;
      this.#collections.set(id, sharedMembers(collection));
    }
    yield rows(bytes);
  }

  /**
   * An asset whose collection has been read.
   *
   * @param parts - of its off-chain document
   */
  join(own: StoredAsset, parts: string | null): StoredAsset {
    const from = inheritsFrom(own);
    const joined = withContent(own, parts);
    return from === null ? joined : withCollection(joined, this.#collections.get(from) ?? null);
  }

  /**
   * An asset with documents of any size, cut to what an item carries.
   *
   * @param own - null where it is too large for a page
   */
  *joinLarge(own: StoredAsset | null, ordinal: number): Steps<StoredAsset> {
    const asset = own ?? (yield* readOwn(ordinal));
    const { parts, isCut } = yield* this.#readShortParts(jsonUriOf(asset.document));
    const from = inheritsFrom(asset);
    if (from !== null) yield* this.readCollections([from]);
    const joined = this.join(asset, parts);
    const isWhole = !isCut && parts !== null;
    const document = isWhole ? shortenContent(joined.document) : joined.document;
    return { ...joined, document: this.#isShownWhole(asset) ? document : shortenOwn(document) };
  }

  /** A page of the default limit is answered in spite of long texts that others sent to its owner, as far as they may be read. */
  #isShownWhole({ document }: StoredAsset): boolean {
    const bytes = Buffer.byteLength(document);
    if (bytes <= ITEM_DOCUMENT_BYTES_MAX) return true;
    if (bytes > this.#wholeLeft) return false;
    this.#wholeLeft -= bytes;
    return true;
  }

  /** Read and cut once, however many assets of the page name it. */
  *#readShortParts(uri: string): Steps<ShortParts> {
    const known = this.#contents.get(uri);
    if (known !== undefined) return known;
    const [content] = uri === "" ? [null] : yield* read.contents([uri]);
    const whole = content?.parts ?? null;
    yield rows(whole?.length ?? 0);
    const parts = whole === null ? null : shortenParts(whole);
    const short = { parts, isCut: parts !== whole };
    this.#contents.set(uri, short);
    return short;
  }
}

function* readOwn(ordinal: number): Steps<StoredAsset> {
  const asset = (yield* read.ownAssets([ordinal]))[0]!;
  yield rows(asset.document.length + (asset.extras?.length ?? 0));
  return asset;
}

interface ShortParts {
  /** Null where there is no document. */
  readonly parts: string | null;
  /** Whether something is left out; else an asset's own content may still be too large together with them. */
  readonly isCut: boolean;
}
