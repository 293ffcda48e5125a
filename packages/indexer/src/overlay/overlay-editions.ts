import { sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  type Edition,
  type EditionStart,
  masterAddressOf,
  reads,
  type ReadView,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import type { EditionChange, Path } from "../engine/delta.ts";

/** Prints as of the newest slot of a path. */
export class OverlayEditions {
  readonly #finalized: Pick<ReadView, "read">;
  /** Changes by edition address; null = removed. */
  readonly #changed = new Map<string, EditionChange>();
  /** By parent: a page asks several times. */
  readonly #removed = new Map<string, Promise<readonly Edition[]>>();

  constructor(path: Path, finalized: Pick<ReadView, "read">) {
    this.#finalized = finalized;
    for (const { editionChanges } of path.toReversed())
      for (const [key, change] of editionChanges) this.#changed.set(key, change);
  }

  /** Whether the path adds, changes or removes a print of a master edition. */
  async isTouched(parent: AddressBytes): Promise<boolean> {
    return this.#addedTo(parent).length > 0 || (await this.#removedFrom(parent)).length > 0;
  }

  async findEdition(mintOrAddress: AddressBytes): Promise<Edition | null> {
    const added = [...this.#changed.values()].flatMap(({ edition }) => edition ?? []);
    const byMint = added.filter(({ mint }) => sameBytes(mint, mintOrAddress)).toSorted(byRow);
    const stored = await this.#finalized.read(reads.edition(mintOrAddress));
    const kept = stored === null || this.#changed.has(addressKey(stored.address)) ? null : stored;
    const found = kept === null ? byMint[0] : [kept, ...byMint].toSorted(byRow)[0];
    return found ?? this.#changed.get(addressKey(mintOrAddress))?.edition ?? null;
  }

  async listEditions(parent: AddressBytes, start: EditionStart, limit: number): Promise<readonly Edition[]> {
    const added = this.#addedTo(parent);
    const spare = limit + this.#changed.size;
    switch (start.kind) {
      case "offset": {
        const removed = await this.#removedFrom(parent);
        if (added.length === 0 && removed.length === 0)
          return this.#finalized.read(reads.editions(parent, start, limit));
        const last = (await this.#finalized.read(reads.editionCount(parent))) - 1;
        const from = Math.max(0, Math.min(start.offset - added.length, last));
        const stored = await this.#finalized.read(
          reads.editions(parent, { kind: "offset", offset: from }, spare + removed.length + added.length),
        );
        return mergeOffset(stored, from, added, removed, start.offset, limit);
      }
      case "after": {
        const stored = await this.#finalized.read(reads.editions(parent, start, spare));
        const beyond = added.filter(({ number }) => number > start.number);
        return this.#merge(stored, beyond).slice(0, limit);
      }
      case "before": {
        const stored = await this.#finalized.read(reads.editions(parent, start, spare));
        const beyond = added.filter(({ number }) => number < start.number);
        return this.#merge(stored, beyond).slice(-limit);
      }
      default:
        return start satisfies never;
    }
  }

  async countEditions(parent: AddressBytes): Promise<number> {
    const stored = await this.#finalized.read(reads.editionCount(parent));
    const removed = await this.#removedFrom(parent);
    return stored - removed.length + this.#addedTo(parent).length;
  }

  #merge(stored: readonly Edition[], added: readonly Edition[]): Edition[] {
    const kept = stored.filter(({ address }) => !this.#changed.has(addressKey(address)));
    return [...kept, ...added].toSorted(byRow);
  }

  #addedTo(parent: AddressBytes): Edition[] {
    return [...this.#changed.values()]
      .flatMap(({ edition }) => edition ?? [])
      .filter((edition) => sameBytes(edition.parent, parent))
      .toSorted(byRow);
  }

  /** Prints of the finalized store under this parent that the path changes or removes. */
  #removedFrom(parent: AddressBytes): Promise<readonly Edition[]> {
    const key = addressKey(parent);
    const known = this.#removed.get(key);
    if (known !== undefined) return known;
    const removed = this.#findRemoved(parent);
    this.#removed.set(key, removed);
    return removed;
  }

  async #findRemoved(parent: AddressBytes): Promise<readonly Edition[]> {
    const removed: Edition[] = [];
    const addresses = [...this.#changed.values()].map(({ address }) => address);
    if (addresses.length === 0) return removed;
    // A print is what the account at its address says. Most changed accounts are of other masters.
    for (const account of await this.#finalized.read(reads.accounts(addresses))) {
      if (account === null || !sameBytes(masterAddressOf(account.address, account), parent)) continue;
      const stored = await this.#finalized.read(reads.edition(account.address));
      const isHere =
        stored !== null && sameBytes(stored.address, account.address) && sameBytes(stored.parent, parent);
      if (isHere) removed.push(stored);
    }
    return removed;
  }
}

/** The requested part of the merged list. The stored part must start early enough to cover it. */
const mergeOffset = (
  stored: readonly Edition[],
  from: number,
  added: readonly Edition[],
  removed: readonly Edition[],
  offset: number,
  limit: number,
): Edition[] => {
  const first = from === 0 ? undefined : stored[0];
  const isBefore = (edition: Edition): boolean => first !== undefined && byRow(edition, first) < 0;
  const isRemoved = new Set(removed.map(({ address }) => addressKey(address)));
  const kept = stored.filter(({ address }) => !isRemoved.has(addressKey(address)));
  const tail = added.filter((edition) => !isBefore(edition));
  const rank = from - removed.filter(isBefore).length + added.filter(isBefore).length;
  return [...kept, ...tail].toSorted(byRow).slice(offset - rank, offset - rank + limit);
};

const byRow = (a: Edition, b: Edition): number =>
  a.number === b.number ? Buffer.compare(a.address, b.address) : a.number < b.number ? -1 : 1;
