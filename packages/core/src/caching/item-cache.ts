import { memoryBound } from "../budget/memory.ts";
import type { Ordinal } from "../domain/asset.ts";

/** Bytes of the items that one reader of a store caches: 64 MiB, less on small machines. */
const ITEM_CACHE_BYTES_MAX = 64 << 20;
/** Several times the largest item of a page. */
const SEGMENT_BYTES = 1 << 20;
/** A cache remembers an item as asked for once for so many of its bytes: about as many items as it has room for. */
const BYTES_PER_ASKED = 1 << 10;
/** Many more than items are remembered, so that few share one. */
const ASKED_BITS = 1 << 20;

/**
 * Finished items of pages at one state of a store: to copy one costs a tenth of reading and joining it. The bytes are in
 * segments that are filled one after another. When all are full, the oldest is filled again. An item is taken the second
 * time it is offered, since most of a long walk over pages is not asked for again.
 */
export class ItemCache {
  readonly #segmentsMax: number;
  readonly #segments: Segment[] = [];
  readonly #items = new Map<Ordinal, CachedItem>();
  /** Place of the segment that is being filled. */
  #filling = 0;
  #state: ItemsOfState = new ItemsOfState(this);
  /** A bit for each item that was offered, by its ordinal. */
  readonly #asked = new Uint32Array(ASKED_BITS / 32);
  readonly #askedMax: number;
  #askedItems = 0;

  constructor(bytesMax = memoryBound(1 / 64, ITEM_CACHE_BYTES_MAX)) {
    this.#segmentsMax = Math.max(1, Math.floor(bytesMax / SEGMENT_BYTES));
    this.#askedMax = bytesMax / BYTES_PER_ASKED;
  }

  /** The items at the present state. A caller that keeps them finds nothing in them from the next state on. */
  get state(): ItemsOfState {
    return this.#state;
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** @param changed - items that are not the same at the next state; null = any may be different */
  moveOn(changed: Iterable<Ordinal> | null): void {
    this.#state = new ItemsOfState(this);
    if (changed === null) this.#items.clear();
    else for (const ordinal of changed) this.#items.delete(ordinal);
  }

  /** `ItemsOfState` finds items with it. */
  find(ordinal: Ordinal): CachedItem | undefined {
    return this.#items.get(ordinal);
  }

  /** `ItemsOfState` adds items with it. */
  add(ordinal: Ordinal, from: Buffer, start: number, size: number): void {
    if (!this.#wasAsked(ordinal) || size > SEGMENT_BYTES) return;
    const segment = this.#segmentFor(size);
    from.copy(segment.bytes, segment.used, start, start + size);
    const item = { ordinal, bytes: segment.bytes, start: segment.used, size };
    segment.used += size;
    segment.items.push(item);
    this.#items.set(ordinal, item);
  }

  #wasAsked(ordinal: Ordinal): boolean {
    const bit = ordinal % ASKED_BITS;
    const place = bit >>> 5;
    const mask = 1 << (bit & 31);
    if ((this.#asked[place]! & mask) !== 0) return true;
    if (this.#askedItems >= this.#askedMax) {
      this.#asked.fill(0);
      this.#askedItems = 0;
    }
    this.#asked[place]! |= mask;
    this.#askedItems += 1;
    return false;
  }

  #segmentFor(size: number): Segment {
    const filling = this.#segments[this.#filling];
    if (filling !== undefined && filling.used + size <= SEGMENT_BYTES) return filling;
    if (this.#segments.length < this.#segmentsMax) {
      this.#filling = this.#segments.length;
      this.#segments.push({ bytes: Buffer.allocUnsafeSlow(SEGMENT_BYTES), used: 0, items: [] });
    } else {
      this.#filling = (this.#filling + 1) % this.#segmentsMax;
      this.#empty(this.#segments[this.#filling]!);
    }
    return this.#segments[this.#filling]!;
  }

  /** An item that was added again since is in another segment. */
  #empty(segment: Segment): void {
    for (const item of segment.items)
      if (this.#items.get(item.ordinal) === item) this.#items.delete(item.ordinal);
    segment.items = [];
    segment.used = 0;
  }
}

/** The items of a cache while it is at one state of the store, which is the state of the view that got this. */
export class ItemsOfState {
  readonly #cache: ItemCache;

  constructor(cache: ItemCache) {
    this.#cache = cache;
  }

  /** Its bytes may be overwritten once something is added: copy them first. */
  find(ordinal: Ordinal): CachedItem | undefined {
    return this.#cache.state === this ? this.#cache.find(ordinal) : undefined;
  }

  add(ordinal: Ordinal, from: Buffer, start: number, size: number): void {
    if (this.#cache.state === this) this.#cache.add(ordinal, from, start, size);
  }
}

export interface CachedItem {
  readonly ordinal: Ordinal;
  readonly bytes: Buffer;
  readonly start: number;
  readonly size: number;
}

interface Segment {
  readonly bytes: Buffer;
  used: number;
  items: CachedItem[];
}
