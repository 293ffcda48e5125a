import type { AddressBytes } from "@lamplight/core";

/** Text that is equal for equal bytes; not for showing. */
export const addressKey = (address: AddressBytes): string =>
  Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString("latin1");

/** A map by the bytes of an address, in order of insertion. */
export class AddressMap<Value> {
  readonly #entries = new Map<string, { readonly address: AddressBytes; value: Value }>();

  get size(): number {
    return this.#entries.size;
  }

  get(address: AddressBytes): Value | undefined {
    return this.#entries.get(addressKey(address))?.value;
  }

  has(address: AddressBytes): boolean {
    return this.#entries.has(addressKey(address));
  }

  set(address: AddressBytes, value: Value): void {
    const key = addressKey(address);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#entries.set(key, { address, value });
    else entry.value = value;
  }

  delete(address: AddressBytes): void {
    this.#entries.delete(addressKey(address));
  }

  addresses(): AddressBytes[] {
    return Array.from(this.#entries.values(), (entry) => entry.address);
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), (entry) => entry.value);
  }

  entries(): { readonly address: AddressBytes; readonly value: Value }[] {
    return [...this.#entries.values()];
  }
}

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
