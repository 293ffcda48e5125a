import { randomInt } from "node:crypto";
import type { AddressBytes } from "./address.ts";

/**
 * The seed is random in each process: a caller who chooses addresses cannot choose where they fall. Orders never depend
 * on it.
 */
const seed = randomInt(2 ** 31);
/** Up to so many entries, looking through all is faster than a table. */
const LISTED_MAX = 8;
const TABLE_FIRST = 32;

/** A number that is equal for equal addresses, in this process only: once per address, many maps can be asked with it. */
export const hashAddress = (address: AddressBytes): number => {
  let hash = seed;
  for (let at = 0; at < address.length; at += 4) {
    const word =
      (address[at] as number) |
      ((address[at + 1] as number) << 8) |
      ((address[at + 2] as number) << 16) |
      ((address[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
};

const isSame = (a: AddressBytes, b: AddressBytes): boolean => {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
};

/**
 * A map by the bytes of an address, in order of insertion. Made for the way of an update, which asks several maps per
 * account: text as a key costs five times as much.
 */
export class AddressMap<Value> {
  /** Undefined where an entry was deleted. */
  #addresses: (AddressBytes | undefined)[] = [];
  #values: (Value | undefined)[] = [];
  #hashes: number[] = [];
  /** Open addressing: place of an entry plus one, 0 = free. Null while there are few entries. */
  #table: Int32Array | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param hash - of `hashAddress`, if the caller knows it */
  get(address: AddressBytes, hash: number = hashAddress(address)): Value | undefined {
    const place = this.#find(address, hash);
    return place < 0 ? undefined : this.#values[place];
  }

  has(address: AddressBytes, hash: number = hashAddress(address)): boolean {
    return this.#find(address, hash) >= 0;
  }

  /** An address that is known keeps its place. */
  set(address: AddressBytes, value: Value, hash: number = hashAddress(address)): void {
    const place = this.#find(address, hash);
    if (place >= 0) {
      this.#values[place] = value;
      return;
    }
    this.#addresses.push(address);
    this.#values.push(value);
    this.#hashes.push(hash);
    this.#size += 1;
    this.#enter(this.#addresses.length);
  }

  delete(address: AddressBytes): boolean {
    const place = this.#find(address, hashAddress(address));
    if (place < 0) return false;
    this.#addresses[place] = undefined;
    this.#values[place] = undefined;
    this.#size -= 1;
    return true;
  }

  clear(): void {
    this.#addresses = [];
    this.#values = [];
    this.#hashes = [];
    this.#table = null;
    this.#size = 0;
  }

  addresses(): AddressBytes[] {
    return this.#addresses.filter((address) => address !== undefined);
  }

  values(): Value[] {
    return this.#values.filter((_, place) => this.#addresses[place] !== undefined) as Value[];
  }

  entries(): { readonly address: AddressBytes; readonly value: Value }[] {
    const entries: { readonly address: AddressBytes; readonly value: Value }[] = [];
    for (const [place, address] of this.#addresses.entries())
      if (address !== undefined) entries.push({ address, value: this.#values[place] as Value });
    return entries;
  }

  /** With the hash of each address, so that another map takes entries over without computing it again. */
  forEach(call: (address: AddressBytes, value: Value, hash: number) => void): void {
    for (let place = 0; place < this.#addresses.length; place += 1) {
      const address = this.#addresses[place];
      if (address !== undefined) call(address, this.#values[place] as Value, this.#hashes[place] as number);
    }
  }

  /** Place of an entry, or -1. */
  #find(address: AddressBytes, hash: number): number {
    const table = this.#table;
    const hashes = this.#hashes;
    if (table === null) {
      for (let place = 0; place < hashes.length; place += 1)
        if (hashes[place] === hash && this.#isAt(place, address)) return place;
      return -1;
    }
    const mask = table.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const place = (table[at] as number) - 1;
      if (place < 0) return -1;
      if (hashes[place] === hash && this.#isAt(place, address)) return place;
    }
  }

  #isAt(place: number, address: AddressBytes): boolean {
    const known = this.#addresses[place];
    return known !== undefined && isSame(known, address);
  }

  /** @param end - number of places, the last of which is new */
  #enter(end: number): void {
    const table = this.#table;
    // At most half full, so that searches stay short.
    if (table === null ? end > LISTED_MAX : end * 2 > table.length) this.#rebuild();
    else if (table !== null) enterAt(table, this.#hashes[end - 1] as number, end);
  }

  /** Makes room, and leaves deleted entries behind. */
  #rebuild(): void {
    if (this.#size < this.#addresses.length) {
      const kept = this.#addresses.map((address) => address !== undefined);
      this.#values = this.#values.filter((_, place) => kept[place]);
      this.#hashes = this.#hashes.filter((_, place) => kept[place]);
      this.#addresses = this.#addresses.filter((_, place) => kept[place]);
    }
    let length = TABLE_FIRST;
    while (length < this.#size * 4) length *= 2;
    const table = new Int32Array(length);
    for (const [place, hash] of this.#hashes.entries()) enterAt(table, hash, place + 1);
    this.#table = table;
  }
}

const enterAt = (table: Int32Array, hash: number, entry: number): void => {
  const mask = table.length - 1;
  let at = hash & mask;
  while (table[at] !== 0) at = (at + 1) & mask;
  table[at] = entry;
};

/** A set of addresses, in order of insertion. */
export class AddressSet {
  readonly #map = new AddressMap<true>();

  get size(): number {
    return this.#map.size;
  }

  has(address: AddressBytes): boolean {
    return this.#map.has(address);
  }

  add(address: AddressBytes): void {
    this.#map.set(address, true);
  }

  addAll(addresses: readonly AddressBytes[]): void {
    for (const address of addresses) this.add(address);
  }

  addresses(): AddressBytes[] {
    return this.#map.addresses();
  }
}
