import type { AccountState, AddressBytes, IndexReader, Slot } from "@lamplight/core";
import { AddressMap } from "../engine/address-map.ts";
import type { ClaimReader } from "../engine/claims.ts";

/**
 * Whether every asset, and every part of one, was seen no later than the versions that are kept say. It may have been
 * seen earlier, by versions that are gone.
 */
export class SeenCheck {
  readonly #store: Pick<IndexReader, "readSeenSlots">;
  readonly #claims: ClaimReader;
  /** Addresses that were seen too late, or never. */
  #wrong = 0;

  constructor(store: Pick<IndexReader, "readSeenSlots">, claims: ClaimReader) {
    this.#store = store;
    this.#claims = claims;
  }

  async addAccounts(states: readonly AccountState[]): Promise<void> {
    const latest = new AddressMap<Slot>();
    for (const { current, lastLife } of states) {
      for (const version of lastLife === null ? [current] : [current, lastLife]) {
        const claim = this.#claims.read(version);
        if (claim === null || !claim.isRecord) continue;
        for (const id of claim.assets) lower(latest, id, version.slot);
        // An account that is an asset itself (a collection) is no part of its dependants.
        if (claim.dependants.length > 0 && claim.assets.length === 0)
          lower(latest, version.address, version.slot);
      }
    }
    await this.#compare(latest);
  }

  async addLeaves(ids: readonly AddressBytes[]): Promise<void> {
    const latest = new AddressMap<Slot>();
    // The slot of its first change is not kept.
    for (const id of ids) latest.set(id, Infinity);
    await this.#compare(latest);
  }

  problems(): readonly string[] {
    if (this.#wrong === 0) return [];
    return [`${this.#wrong} assets or their parts were recorded as seen later than their accounts, or never`];
  }

  async #compare(latest: AddressMap<Slot>): Promise<void> {
    if (latest.size === 0) return;
    const entries = latest.entries();
    const seen = await this.#store.readSeenSlots(entries.map(({ address }) => address));
    for (const [index, { value }] of entries.entries()) {
      const slot = seen[index] ?? null;
      if (slot === null || slot > value) this.#wrong += 1;
    }
  }
}

const lower = (slots: AddressMap<Slot>, address: AddressBytes, slot: Slot): void => {
  const known = slots.get(address);
  if (known === undefined || slot < known) slots.set(address, slot);
};
