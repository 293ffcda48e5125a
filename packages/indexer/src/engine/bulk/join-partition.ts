import {
  type AddressBytes,
  AddressMap,
  type DerivedLinks,
  hashAddress,
  type Link,
  linkRoles,
  type Slot,
} from "@lamplight/core";
import { type ClaimRecord, claimRecordsOf, type RecordKind, writeClaimRecord } from "./claim-record.ts";
import { claimsStage, type SpillPlace } from "./claim-spill.ts";
import { sortedByAddress } from "./sort-by-address.ts";
import { readSpills, SpillWriter } from "./spill-files.ts";

export const partsStage = "parts";

/** Everything that is recorded for one address, and which assets need it. */
interface KeyState {
  readonly address: AddressBytes;
  /** Its account, if it is an asset or part of one. */
  self: ClaimRecord | null;
  seen: Slot | null;
  readonly needs: { readonly asset: AddressBytes; readonly mark: number }[];
}

/**
 * Second step of a bulk load: copies accounts that assets need in addition to their own (an edition, a collection) into
 * the partitions of these assets. It also returns all links and seen slots of a partition.
 */
export class PartJoin {
  readonly #place: SpillPlace;
  readonly #writer: SpillWriter;

  /** @param writer - one of the place's */
  constructor(place: SpillPlace, writer: string) {
    this.#place = place;
    this.#writer = new SpillWriter(place.folder, partsStage, writer, place.bits);
  }

  /** Links and seen slots of the partition, ascending by their first address. All claims must be written before. */
  join(partition: number): DerivedLinks {
    const keys = new AddressMap<KeyState>();
    const links: Link[] = [];
    for (const bytes of readSpills(this.#place, claimsStage, partition)) collect(bytes, keys, links);
    const states = keys.values();
    for (const state of states) this.#answer(state);
    const seen = states.flatMap(({ address, seen: slot }) => (slot === null ? [] : { id: address, slot }));
    return {
      links: sortedByAddress(links, ({ target }) => target, byRoleAndSource),
      seen: sortedByAddress(seen, ({ id }) => id),
    };
  }

  /** Everything is in the files when this returns. */
  close(): void {
    this.#writer.close();
  }

  #answer({ address, self, seen, needs }: KeyState): void {
    if (needs.length === 0 || (self === null && seen === null)) return;
    const account = self?.stored ?? null;
    for (const { asset, mark } of needs)
      writeClaimRecord(this.#writer, this.#place.bits, "part", asset, {
        other: address,
        account,
        seen,
        mark,
      });
  }
}

const collect = (bytes: Buffer, keys: AddressMap<KeyState>, links: Link[]): void => {
  for (const record of claimRecordsOf(bytes)) {
    const { kind, key } = record;
    note(keys, record, kind, key);
    if (kind === "link" || kind === "bareLink")
      links.push({ role: record.role, target: key, source: record.other });
  }
};

const note = (keys: AddressMap<KeyState>, record: ClaimRecord, kind: RecordKind, key: AddressBytes): void => {
  const { seen } = record;
  if (kind === "bareLink" || (kind === "link" && seen === null)) return;
  const hash = hashAddress(key);
  let state = keys.get(key, hash);
  if (state === undefined) {
    state = { address: key, self: null, seen: null, needs: [] };
    keys.set(key, state, hash);
  }
  if (kind === "self") state.self = record;
  if (kind === "need") state.needs.push({ asset: record.other, mark: record.mark });
  if (seen !== null) state.seen = state.seen === null ? seen : Math.min(state.seen, seen);
};

const byRoleAndSource = (a: Link, b: Link): number =>
  linkRoles.indexOf(a.role) - linkRoles.indexOf(b.role) || Buffer.compare(a.source, b.source);
