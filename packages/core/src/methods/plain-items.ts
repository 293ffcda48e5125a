// Pages without display options: documents stay bytes from the store to the socket.

import { GrowingBytes } from "@lamplight/codecs";
import { partEnd } from "../content/content-parts.ts";
import { contentJoints, contentPlaces, jsonUriOfBytes } from "../content/content-text.ts";
import type { Ordinal, StoredAsset } from "../domain/asset.ts";
import { freeBytes } from "../json/json-bytes.ts";
import {
  type BytePlace,
  packSeparator,
  type PackedAssets,
  type PackedContent,
  type PackedContents,
  tooLarge,
} from "../ports/packed-assets.ts";
import type { ItemsOfState } from "../caching/item-cache.ts";
import { inheritsFrom } from "../content/text-facts.ts";
import { ITEM_DOCUMENT_BYTES_MAX } from "../shaping/shorten-content.ts";
import { type CachedBlock, copyCached } from "./cached-items.ts";
import { ITEMS_PER_READ, type PageShares } from "./page-shares.ts";
import { read, slice, type Steps } from "./steps.ts";

/** The items of a page, with commas between them. */
export function* joinPlainItems(ordinals: readonly Ordinal[], shares: PageShares): Steps<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < ordinals.length; from += ITEMS_PER_READ) {
    if (from > 0) pieces.push(separator);
    const { bytes, sizes } = yield* readItems(ordinals.slice(from, from + ITEMS_PER_READ), shares);
    pieces.push(bytes);
    yield slice(sizes);
  }
  return pieces;
}

/** Finished items in one block of bytes, and the bytes of each that has not been handed over. */
type ItemBlock = Pick<PackedAssets, "bytes" | "sizes">;

function* readItems(ordinals: readonly Ordinal[], shares: PageShares): Steps<ItemBlock> {
  const cache = yield* read.itemCache(ordinals);
  const cached = copyCached(ordinals, cache);
  const missing = cached.found === 0 ? ordinals : ordinals.filter((_, index) => cached.sizes[index] === 0);
  if (missing.length === 0) return cached;
  const packed = yield* read.packedAssets(missing, ITEM_DOCUMENT_BYTES_MAX);
  if (cached.found === 0 && isFinished(packed)) {
    if (cache !== null) addFinished(packed, ordinals, cache);
    return packed;
  }
  return yield* joinPacked({ ordinals, cached, cache }, packed, shares);
}

const separator = Buffer.from(packSeparator);

/** Whether the documents are the items as they stand. */
const isFinished = ({ sizes, inheriting, mayHaveContents }: PackedAssets): boolean =>
  !mayHaveContents && inheriting.size === 0 && !sizes.includes(0);

const addFinished = (
  { bytes, sizes }: PackedAssets,
  ordinals: readonly Ordinal[],
  cache: ItemsOfState,
): void => {
  let start = 0;
  for (const [index, size] of sizes.entries()) {
    cache.add(ordinals[index]!, bytes, start, size);
    start += size + separator.length;
  }
};

/** Some assets of a page, with what a cache has of them. */
interface AskedItems {
  readonly ordinals: readonly Ordinal[];
  readonly cached: CachedBlock;
  readonly cache: ItemsOfState | null;
}

/** @param packed - the assets that are not cached */
function* joinPacked(
  { ordinals, cached, cache }: AskedItems,
  packed: PackedAssets,
  shares: PageShares,
): Steps<ItemBlock> {
  const documents = documentsOf(packed);
  const contents = packed.mayHaveContents ? yield* readContents(documents) : noContents;
  const inheriting = [...packed.inheriting.values()].map((extras) => inheritsFrom({ extras })!);
  if (inheriting.length > 0) yield* shares.readCollections(inheriting);
  const items = new GrowingBytes(packed.bytes.length + contents.bytes.length + cached.bytes.length);
  const joined: JoinedItem[] = [];
  const sizes: number[] = [];
  let cachedAt = 0;
  let index = 0;
  for (const [place, ordinal] of ordinals.entries()) {
    if (place > 0) items.addBytes(separator);
    const before = items.length;
    const cachedSize = cached.sizes[place] ?? 0;
    if (cachedSize > 0) {
      items.add(cached.bytes, cachedAt, cachedSize);
      cachedAt += cachedSize + separator.length;
    } else {
      const document = documents[index]!;
      const content = contentOf(document, contents.places[index] ?? null);
      if (content === tooLarge) {
        // A refusal of a large one suggests as many items as are finished.
        yield slice(sizes.splice(0));
        const own = document.text === "" ? null : storedAsset(packed, index, document);
        items.addText((yield* shares.joinLarge(own, ordinal)).document);
      } else if (packed.inheriting.has(index)) {
        const own = storedAsset(packed, index, document);
        items.addText(shares.join(own, content === null ? null : textOf(contents.bytes, content)).document);
      } else {
        if (content === null) items.add(packed.bytes, document.start, document.text.length);
        else addJoined(items, packed.bytes, document, contents.bytes, content);
        joined.push({ ordinal, start: before, size: items.length - before });
      }
      index += 1;
    }
    sizes.push(items.length - before);
  }
  freeBytes(packed.bytes);
  freeBytes(contents.bytes);
  const block = items.taken();
  if (cache !== null) for (const { ordinal, start, size } of joined) cache.add(ordinal, block, start, size);
  return { bytes: block, sizes };
}

/** "Too large" also for an own document that is, or that is together with it. */
const contentOf = ({ text }: PackedDocument, content: PackedContent): PackedContent => {
  if (text === "") return tooLarge;
  if (content === null || content === tooLarge) return content;
  return text.length + content.size > ITEM_DOCUMENT_BYTES_MAX ? tooLarge : content;
};

/** An item that depends on nothing but its own documents, in a block of items. */
interface JoinedItem {
  readonly ordinal: Ordinal;
  readonly start: number;
  readonly size: number;
}

/** One document in a block of them. */
interface PackedDocument {
  readonly start: number;
  /** A character for each byte; "" where it was not read. */
  readonly text: string;
  /** "" = none. */
  readonly uri: string;
}

const documentsOf = ({ bytes, sizes, mayHaveContents }: PackedAssets): readonly PackedDocument[] => {
  let start = 0;
  return sizes.map((size) => {
    // One by one: a string of the whole block would be so large that the engine collects it with its old objects.
    const text = bytes.toString("latin1", start, start + size);
    const document = { start, text, uri: mayHaveContents ? jsonUriOfBytes(text) : "" };
    start += size + separator.length;
    return document;
  });
};

const storedAsset = (
  { bytes, inheriting }: PackedAssets,
  index: number,
  { start, text }: PackedDocument,
): StoredAsset => ({
  document: bytes.toString("utf8", start, start + text.length),
  extras: inheriting.get(index) ?? null,
});

/** Read once, however many of the assets name one. */
function* readContents(documents: readonly PackedDocument[]): Steps<PackedContents> {
  const places = new Map<string, number>();
  const placeOf = documents.map(({ uri }) => {
    if (uri === "") return -1;
    const known = places.get(uri);
    if (known !== undefined) return known;
    places.set(uri, places.size);
    return places.size - 1;
  });
  if (places.size === 0) return noContents;
  const packed = yield* read.packedContents([...places.keys()], ITEM_DOCUMENT_BYTES_MAX);
  return { bytes: packed.bytes, places: placeOf.map((place) => packed.places[place] ?? null) };
}

const noContents: PackedContents = { bytes: Buffer.alloc(0), places: [] };

const joints = {
  files: Buffer.from(contentJoints.files),
  metadata: Buffer.from(contentJoints.metadata),
  links: Buffer.from(contentJoints.links),
  rest: Buffer.from(contentJoints.rest),
};

const textOf = (bytes: Buffer, { start, size }: BytePlace): string =>
  bytes.toString("utf8", start, start + size);

/** As `joinContent`, in bytes. */
const addJoined = (
  items: GrowingBytes,
  own: Buffer,
  { start, text }: PackedDocument,
  contents: Buffer,
  parts: BytePlace,
): void => {
  const { filesAt, metadataAt, linksAt, restAt } = contentPlaces(text);
  const filesEnd = contents.indexOf(partEndByte, parts.start);
  const metadataEnd = contents.indexOf(partEndByte, filesEnd + 1);
  const linksEnd = parts.start + parts.size;
  items.add(own, start, filesAt);
  items.addBytes(joints.files);
  items.add(contents, parts.start, filesEnd - parts.start);
  items.addBytes(joints.metadata);
  items.add(contents, filesEnd + 1, metadataEnd - filesEnd - 1);
  items.add(own, start + metadataAt, linksAt - metadataAt);
  items.addBytes(joints.links);
  items.add(contents, metadataEnd + 1, linksEnd - metadataEnd - 1);
  items.addBytes(joints.rest);
  items.add(own, start + restAt, text.length - restAt);
};

const partEndByte = partEnd.charCodeAt(0);
