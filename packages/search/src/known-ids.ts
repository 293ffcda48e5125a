import type { Ordinal } from "@lamplight/core";

/** Bytes of an asset id. */
const ID_BYTES = 32;
/** Bytes that one id takes in a map: the id, its array, and the entry. */
const ENTRY_BYTES = 200;

/** Whole ids of a few assets. */
export class KnownIds {
  readonly #ids = new Map<Ordinal, Uint8Array>();

  get(ordinal: Ordinal): Uint8Array | undefined {
    return this.#ids.get(ordinal);
  }

  has(ordinal: Ordinal): boolean {
    return this.#ids.has(ordinal);
  }

  set(ordinal: Ordinal, id: Uint8Array): void {
    this.#ids.set(ordinal, id.slice());
  }

  delete(ordinal: Ordinal): void {
    this.#ids.delete(ordinal);
  }

  /** By id, where both are known. */
  compare(a: Ordinal, b: Ordinal): number {
    const [idA, idB] = [this.#ids.get(a), this.#ids.get(b)];
    return idA === undefined || idB === undefined ? a - b : Buffer.compare(idA, idB);
  }

  get byteLength(): number {
    return this.#ids.size * ENTRY_BYTES;
  }

  /** The ids of ordinals below `end`. */
  toSaved(end: number): { readonly ordinals: Uint32Array; readonly ids: Uint8Array } {
    const known = [...this.#ids].filter(([ordinal]) => ordinal < end);
    const ids = new Uint8Array(known.length * ID_BYTES);
    for (const [index, [, id]] of known.entries()) ids.set(id, index * ID_BYTES);
    return { ordinals: Uint32Array.from(known, ([ordinal]) => ordinal), ids };
  }

  restore({ ordinals, ids }: { readonly ordinals: Uint32Array; readonly ids: Uint8Array }): void {
    this.#ids.clear();
    for (const [index, ordinal] of ordinals.entries())
      this.set(ordinal, ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES));
  }
}
