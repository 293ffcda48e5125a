import {
  type AccountState,
  type AddressBytes,
  AddressMap,
  type ChangeSet,
  type CommitReceipt,
  deriveAccountFacts,
  hashAddress,
  type Holding,
  type LedgerState,
  type Link,
  type LinkRole,
  type Slot,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import { listKey } from "../engine/pending.ts";
import type { StateReader, StateStore } from "../engine/state-reader.ts";
import { ledgerKey, newest, newestWrite, type Path, type SlotChanges } from "./slot-changes.ts";

/**
 * The state at one unrooted slot as the indexer sees it: the slots of its path laid over the rooted store. What the
 * indexer commits goes into the slot's own changes, which its next reads see.
 */
export class LayeredStore implements StateStore {
  readonly #path: Path;
  readonly #target: SlotChanges;
  readonly #base: StateReader;
  /** States as they were below the target: an account's old holding is read from them. */
  readonly #before = new AddressMap<AccountState | null>();

  /** @param below - path of the parent, newest first */
  constructor(target: SlotChanges, below: Path, base: StateReader) {
    this.#target = target;
    this.#path = [target, ...below];
    this.#base = base;
  }

  async readAccountStates(addresses: readonly AddressBytes[]): Promise<readonly (AccountState | null)[]> {
    const states = await this.#readThrough(
      addresses,
      (address) => newestWrite(this.#path, address)?.state,
      (rest) => this.#base.readAccountStates(rest),
    );
    for (const [index, address] of addresses.entries()) {
      if (!this.#before.has(address)) this.#before.set(address, states[index] ?? null);
    }
    return states;
  }

  readLedger(
    kind: LedgerState["kind"],
    keys: readonly AddressBytes[],
  ): Promise<readonly (LedgerState | null)[]> {
    return this.#readThrough(
      keys,
      (address) => {
        const key = ledgerKey(kind, address);
        return newest(this.#path, (changes) => changes.ledger.get(key));
      },
      (rest) => this.#base.readLedger(kind, rest),
    );
  }

  readSeenSlots(ids: readonly AddressBytes[]): Promise<readonly (Slot | null)[]> {
    return this.#readThrough(
      ids,
      (id) => {
        const hash = hashAddress(id);
        return newest(this.#path, (changes) => changes.seen.get(id, hash));
      },
      (rest) => this.#base.readSeenSlots(rest),
    );
  }

  async readLinks(
    targets: readonly AddressBytes[],
    roles: readonly LinkRole[],
    limit: number,
  ): Promise<readonly Link[]> {
    const stored = await this.#base.readLinks(targets, roles, limit);
    const lists = new Map<string, Link[]>();
    for (const link of stored) {
      const key = listKey(link.role, link.target);
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [link]);
      else list.push(link);
    }
    const found: Link[] = [];
    for (const target of targets) {
      for (const role of roles) {
        const key = listKey(role, target);
        const isChanged = this.#path.some((changes) => changes.links.has(key));
        found.push(
          ...(isChanged ? await this.readLinkPage(target, role, null, limit) : (lists.get(key) ?? [])),
        );
      }
    }
    return found;
  }

  async readLinkPage(
    target: AddressBytes,
    role: LinkRole,
    after: AddressBytes | null,
    limit: number,
  ): Promise<readonly Link[]> {
    const changed = this.#changedLinks(listKey(role, target));
    const kept: Link[] = [];
    let last = after;
    let isAll = false;
    while (!isAll && kept.length < limit) {
      const page = await this.#base.readLinkPage(target, role, last, limit);
      kept.push(...page.filter((link) => !changed.has(addressKey(link.source))));
      last = page.at(-1)?.source ?? last;
      isAll = page.length < limit;
    }
    const added = [...changed.values()]
      .filter(({ removed }) => !removed)
      .map(({ link }) => link)
      .filter(({ source }) => after === null || Buffer.compare(source, after) > 0)
      // Beyond the last one read, the store may hold others before them.
      .filter(({ source }) => isAll || last === null || Buffer.compare(source, last) <= 0);
    return [...kept, ...added].toSorted((a, b) => Buffer.compare(a.source, b.source)).slice(0, limit);
  }

  commit(changes: ChangeSet): CommitReceipt {
    this.#target.add(changes, (address) => {
      const before = this.#before.get(address) ?? null;
      return before === null ? null : holdingOf(before);
    });
    // Neither is given here: what watches commits is reported when the slot roots.
    return { changeSeq: 0, ordinals: [] };
  }

  #changedLinks(key: string): Map<string, { readonly link: Link; readonly removed: boolean }> {
    const changed = new Map<string, { readonly link: Link; readonly removed: boolean }>();
    for (const changes of this.#path.toReversed()) {
      for (const [source, change] of changes.links.get(key) ?? []) changed.set(source, change);
    }
    return changed;
  }

  /** Answers from the path where it knows, and asks the store once for the rest; same order as asked. */
  async #readThrough<Value>(
    keys: readonly AddressBytes[],
    find: (key: AddressBytes) => Value | undefined,
    readRest: (
      rest: readonly AddressBytes[],
    ) => Promise<readonly (Value | null)[]> | readonly (Value | null)[],
  ): Promise<readonly (Value | null)[]> {
    const found = keys.map(find);
    const rest = keys.filter((_, index) => found[index] === undefined);
    if (rest.length === 0) return found as Value[];
    const stored = await readRest(rest);
    let next = 0;
    return found.map((value) => (value === undefined ? (stored[next++] ?? null) : value));
  }
}

const holdingOf = ({ current }: AccountState): Holding | null => deriveAccountFacts(current).holding;
