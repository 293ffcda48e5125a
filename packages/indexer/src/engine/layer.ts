import {
  type AccountState,
  type AccountWrite,
  type AddressBytes,
  type AddressMap,
  hashAddress,
  type LedgerKind,
  type LedgerState,
  type Link,
  type LinkRole,
  type Slot,
} from "@lamplight/core";
import { addressKey } from "./address-map.ts";
import type { StateReader } from "./state-reader.ts";

export interface LinkChange {
  readonly link: Link;
  readonly removed: boolean;
}

/** Changes of one link list, by `addressKey` of the source. */
type LinkChanges = ReadonlyMap<string, LinkChange>;

/** The states that one delta changes. States that it does not have are as they were before it. */
export interface StateDelta {
  readonly writes: Pick<AddressMap<AccountWrite>, "get">;
  /** The keys are those of `ledgerKey`. */
  readonly ledgerStates: ReadonlyMap<string, LedgerState>;
  readonly seen: Pick<AddressMap<Slot>, "get">;
  /** The keys are those of `listKey`. */
  readonly links: ReadonlyMap<string, LinkChanges>;
}

/** One list of links: all sources of a role and target. */
export const listKey = (role: LinkRole, target: AddressBytes): string => `${role} ${addressKey(target)}`;

export const ledgerKey = (kind: LedgerKind, key: AddressBytes): string => `${kind} ${addressKey(key)}`;

/** The newest value that deltas have; undefined where none has one. */
export const newest = <Delta, Value>(
  deltas: readonly Delta[],
  find: (delta: Delta) => Value | undefined,
): Value | undefined => {
  for (const delta of deltas) {
    const value = find(delta);
    if (value !== undefined) return value;
  }
  return undefined;
};

/** Finds what it can, and reads the rest in one call; same order as asked. */
export const readThrough = async <Key, Value>(
  keys: readonly Key[],
  find: (key: Key) => Value | undefined,
  readRest: (rest: readonly Key[]) => readonly Value[] | Promise<readonly Value[]>,
): Promise<readonly Value[]> => {
  const found = keys.map(find);
  const rest = keys.filter((_, index) => found[index] === undefined);
  if (rest.length === 0) return found as Value[];
  const read = await readRest(rest);
  let next = 0;
  return found.map((value) => (value === undefined ? (read[next++] as Value) : value));
};

/**
 * A state and its changes, read as one: each key from the newest delta that has it, else from the stored state.
 *
 * @param deltas - newest first
 */
export const layer = (stored: StateReader, deltas: readonly StateDelta[]): StateReader =>
  deltas.length === 0 ? stored : new Layer(stored, deltas);

class Layer implements StateReader {
  readonly #stored: StateReader;
  readonly #deltas: readonly StateDelta[];

  constructor(stored: StateReader, deltas: readonly StateDelta[]) {
    this.#stored = stored;
    this.#deltas = deltas;
  }

  readAccountStates(addresses: readonly AddressBytes[]): Promise<readonly (AccountState | null)[]> {
    return readThrough<AddressBytes, AccountState | null>(
      addresses,
      (address) => {
        const hash = hashAddress(address);
        return newest(this.#deltas, (delta) => delta.writes.get(address, hash)?.state);
      },
      (rest) => this.#stored.readAccountStates(rest),
    );
  }

  readLedger(kind: LedgerKind, keys: readonly AddressBytes[]): Promise<readonly (LedgerState | null)[]> {
    return readThrough<AddressBytes, LedgerState | null>(
      keys,
      (address) => {
        const key = ledgerKey(kind, address);
        return newest(this.#deltas, (delta) => delta.ledgerStates.get(key));
      },
      (rest) => this.#stored.readLedger(kind, rest),
    );
  }

  readSeenSlots(ids: readonly AddressBytes[]): Promise<readonly (Slot | null)[]> {
    return readThrough<AddressBytes, Slot | null>(
      ids,
      (id) => {
        const hash = hashAddress(id);
        return newest(this.#deltas, (delta) => delta.seen.get(id, hash));
      },
      (rest) => this.#stored.readSeenSlots(rest),
    );
  }

  async readLinks(
    targets: readonly AddressBytes[],
    roles: readonly LinkRole[],
    limit: number,
  ): Promise<readonly Link[]> {
    const stored = Map.groupBy(await this.#stored.readLinks(targets, roles, limit), ({ role, target }) =>
      listKey(role, target),
    );
    const found: Link[][] = [];
    for (const target of targets) {
      for (const role of roles) {
        const key = listKey(role, target);
        const page = stored.get(key) ?? [];
        const changed = this.#changedLinks(key);
        if (changed === null) found.push(page);
        // A list that fits into the page is known completely.
        else if (page.length < limit) found.push(patchLinks(page, changed, () => true).slice(0, limit));
        else found.push([...(await this.readLinkPage(target, role, null, limit))]);
      }
    }
    return found.flat();
  }

  async readLinkPage(
    target: AddressBytes,
    role: LinkRole,
    after: AddressBytes | null,
    limit: number,
  ): Promise<readonly Link[]> {
    const changed = this.#changedLinks(listKey(role, target));
    if (changed === null) return this.#stored.readLinkPage(target, role, after, limit);
    const stored: Link[] = [];
    let kept = 0;
    let last = after;
    let isAll = false;
    while (!isAll && kept < limit) {
      const page = await this.#stored.readLinkPage(target, role, last, limit);
      stored.push(...page);
      kept += page.filter(({ source }) => !changed.has(addressKey(source))).length;
      last = page.at(-1)?.source ?? last;
      isAll = page.length < limit;
    }
    const isWithin = ({ source }: Link): boolean =>
      (after === null || Buffer.compare(source, after) > 0) &&
      // Beyond the last one read, the store may have others before them.
      (isAll || last === null || Buffer.compare(source, last) <= 0);
    return patchLinks(stored, changed, isWithin).slice(0, limit);
  }

  /** Null where no delta changes the list. */
  #changedLinks(list: string): LinkChanges | null {
    let changed: Map<string, LinkChange> | null = null;
    for (const delta of this.#deltas.toReversed()) {
      const own = delta.links.get(list);
      if (own === undefined) continue;
      changed ??= new Map();
      for (const [source, change] of own) changed.set(source, change);
    }
    return changed;
  }
}

/** Ascending by source: what is stored and not changed, and what was added. */
const patchLinks = (
  stored: readonly Link[],
  changed: LinkChanges,
  isWithin: (link: Link) => boolean,
): Link[] => {
  const kept = stored.filter(({ source }) => !changed.has(addressKey(source)));
  const added = [...changed.values()].filter(({ link, removed }) => !removed && isWithin(link));
  return [...kept, ...added.map(({ link }) => link)].toSorted((a, b) => Buffer.compare(a.source, b.source));
};
