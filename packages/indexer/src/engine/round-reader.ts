import {
  type AccountState,
  type AddressBytes,
  type LedgerState,
  type LinkRole,
  type Slot,
} from "@lamplight/core";
import type { ReportProblem } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import { linksPerAssetMax, linksPerPage } from "./limits.ts";
import { listKey, type Pending } from "./pending.ts";
import type { StateReader } from "./state-reader.ts";

export interface LinkList {
  readonly role: LinkRole;
  readonly target: AddressBytes;
}

/** Bulk reads of one round: the store with the pending changes laid over it. States are read once per round. */
export class RoundReader {
  readonly #store: StateReader;
  readonly #pending: Pending;
  readonly #report: ReportProblem;
  readonly #states = new AddressMap<AccountState | null>();

  constructor(store: StateReader, pending: Pending, report: ReportProblem) {
    this.#store = store;
    this.#pending = pending;
    this.#report = report;
  }

  /** Reads what is not known yet; `state` then answers for these addresses. */
  async loadStates(addresses: readonly AddressBytes[]): Promise<void> {
    const unknown = new AddressMap<true>();
    for (const address of addresses) {
      if (!this.#pending.states.has(address) && !this.#states.has(address)) unknown.set(address, true);
    }
    if (unknown.size === 0) return;
    const wanted = unknown.addresses();
    const states = await this.#store.readAccountStates(wanted);
    for (const [index, address] of wanted.entries()) this.#states.set(address, states[index] ?? null);
  }

  state(address: AddressBytes): AccountState | null {
    return this.#pending.states.get(address) ?? this.#states.get(address) ?? null;
  }

  async readLeaves(ids: readonly AddressBytes[]): Promise<(LedgerState | null)[]> {
    const leaves = await this.#store.readLedger("leaf", ids);
    return ids.map((id, index) => this.#pending.ledger.get(id) ?? leaves[index] ?? null);
  }

  async readSeen(addresses: readonly AddressBytes[]): Promise<(Slot | null)[]> {
    if (addresses.length === 0) return [];
    const slots = await this.#store.readSeenSlots(addresses);
    return addresses.map((address, index) => this.#pending.seen.get(address) ?? slots[index] ?? null);
  }

  /** Sources of each list, ascending by address; same order as asked. */
  async readLinks(lists: readonly LinkList[]): Promise<AddressBytes[][]> {
    const stored = await this.#readStored(lists);
    const added = this.#pending.addedByList();
    const found: AddressBytes[][] = [];
    for (const list of lists) {
      const key = listKey(list.role, list.target);
      const page = stored.get(key) ?? [];
      const all = page.length < linksPerPage ? page : await this.#readRest(list, page);
      const kept = all.filter((source) => !this.#pending.isRemoved({ ...list, source }));
      found.push([...kept, ...(added.get(key) ?? [])].toSorted(compareBytes));
    }
    return found;
  }

  /** The first page of every list: one read per role, so that no target is asked for a role it does not need. */
  async #readStored(lists: readonly LinkList[]): Promise<Map<string, AddressBytes[]>> {
    const stored = new Map<string, AddressBytes[]>();
    for (const role of new Set(lists.map((list) => list.role))) {
      const targets = lists.filter((list) => list.role === role).map((list) => list.target);
      for (const link of await this.#store.readLinks(targets, [role], linksPerPage)) {
        const key = listKey(link.role, link.target);
        const list = stored.get(key);
        if (list === undefined) stored.set(key, [link.source]);
        else list.push(link.source);
      }
    }
    return stored;
  }

  async #readRest(list: LinkList, first: readonly AddressBytes[]): Promise<AddressBytes[]> {
    const sources = [...first];
    while (sources.length < linksPerAssetMax) {
      const after = sources.at(-1) ?? null;
      const page = await this.#store.readLinkPage(list.target, list.role, after, linksPerPage);
      sources.push(...page.map((link) => link.source));
      if (page.length < linksPerPage) return sources;
    }
    this.#report({
      kind: "links-cut",
      address: list.target,
      slot: 0,
      reason: `more than ${linksPerAssetMax} accounts claim the role ${list.role}`,
    });
    return sources;
  }
}

const compareBytes = (a: AddressBytes, b: AddressBytes): number => Buffer.compare(a, b);
