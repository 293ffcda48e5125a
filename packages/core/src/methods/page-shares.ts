import { decodeAddress } from "@lamplight/codecs";
import type { CallBudget } from "../budget/call-budget.ts";
import { jsonUriOf } from "../content/content-text.ts";
import type { StoredAsset } from "../domain/asset.ts";
import type { ReadView } from "../ports/read-view.ts";
import {
  inheritsFrom,
  type SharedMembers,
  sharedMembers,
  withCollection,
  withContent,
} from "../shaping/join-asset.ts";
import { shortenContent, shortenParts } from "../shaping/shorten-content.ts";

/** Documents read as one statement: of the largest that are not cut, 16 MiB. */
export const ITEMS_PER_READ = 128;

/** The answer of one page so far, and what its assets share with others, read once. */
export class PageShares {
  readonly view: ReadView;
  readonly budget: CallBudget;
  readonly #collections = new Map<string, SharedMembers | null>();
  /** What large off-chain documents add to an item, by URI. */
  readonly #contents = new Map<string, ShortParts>();
  #items = 0;

  constructor(view: ReadView, budget: CallBudget) {
    this.view = view;
    this.budget = budget;
  }

  /** Items answered so far. */
  get items(): number {
    return this.#items;
  }

  /** Counts a finished item. */
  answer(bytes: number): void {
    this.budget.answer(bytes, this.#cheaper);
    this.#items += 1;
  }

  /** Reads the collections that are not read yet. */
  async readCollections(from: Iterable<string>): Promise<void> {
    const unread = [...new Set(from)].filter((id) => !this.#collections.has(id));
    if (unread.length === 0) return;
    const found = await Promise.all(unread.map(async (id) => this.view.assets.findAsset(decodeAddress(id))));
    for (const [index, id] of unread.entries()) {
      const collection = found[index] ?? null;
      this.budget.read(collection?.document.length ?? 0, this.#cheaper);
      this.#collections.set(id, sharedMembers(collection));
    }
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
  async joinLarge(own: StoredAsset | null, ordinal: number): Promise<StoredAsset> {
    const asset = own ?? (await this.#readOwn(ordinal));
    const { parts, isCut } = await this.#readShortParts(jsonUriOf(asset.document));
    const from = inheritsFrom(asset);
    if (from !== null) await this.readCollections([from]);
    const joined = this.join(asset, parts);
    return isCut ? joined : { ...joined, document: shortenContent(joined.document) };
  }

  async #readOwn(ordinal: number): Promise<StoredAsset> {
    const asset = (await this.view.assets.getAssets([ordinal]))[0]!;
    this.budget.read(asset.document.length + (asset.extras?.length ?? 0), this.#cheaper);
    return asset;
  }

  /** Read and cut once, however many assets of the page name it. */
  async #readShortParts(uri: string): Promise<ShortParts> {
    const known = this.#contents.get(uri);
    if (known !== undefined) return known;
    const [content] = uri === "" ? [null] : await this.view.assets.readContents([uri]);
    const whole = content?.parts ?? null;
    this.budget.read(whole?.length ?? 0, this.#cheaper);
    const parts = whole === null ? null : shortenParts(whole);
    const short = { parts, isCut: parts !== whole };
    this.#contents.set(uri, short);
    return short;
  }

  /** A limit at which the same page is likely to be answered. */
  readonly #cheaper = (): string =>
    this.#items <= 1
      ? "getAsset, one asset at a time"
      : `a smaller limit, such as ${Math.floor(this.#items * 0.8)}`;
}

interface ShortParts {
  /** Null where there is no document. */
  readonly parts: string | null;
  /** Whether something is left out; else an asset's own content may still be too large together with them. */
  readonly isCut: boolean;
}
