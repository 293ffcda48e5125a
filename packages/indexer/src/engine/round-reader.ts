import type { AccountState, AddressBytes, LedgerState, LinkRole, Slot } from "@lamplight/core";
import type { ReportProblem } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import { listKey } from "./layer.ts";
import { LINKS_PER_ASSET_MAX, LINKS_PER_PAGE } from "./limits.ts";
import type { StateReader } from "./state-reader.ts";

export interface LinkList {
  readonly role: LinkRole;
  readonly target: AddressBytes;
}

/** Bulk reads of one round. States are read once. */
export class RoundReader {
  readonly #reader: StateReader;
  readonly #report: ReportProblem;
  readonly #states = new AddressMap<AccountState | null>();

  constructor(reader: StateReader, report: ReportProblem) {
    this.#reader = reader;
    this.#report = report;
  }

  /** Reads what is not known yet; `state` then answers for these addresses. */
  async loadStates(addresses: readonly AddressBytes[]): Promise<void> {
    const unknown = new AddressMap<true>();
    for (const address of addresses) if (!this.#states.has(address)) unknown.set(address, true);
    if (unknown.size === 0) return;
    const missing = unknown.addresses();
    const states = await this.#reader.readAccountStates(missing);
    for (const [index, address] of missing.entries()) this.#states.set(address, states[index] ?? null);
  }

  state(address: AddressBytes): AccountState | null {
    return this.#states.get(address) ?? null;
  }

  async readLeaves(ids: readonly AddressBytes[]): Promise<readonly (LedgerState | null)[]> {
    return this.#reader.readLedger("leaf", ids);
  }

  async readSeen(addresses: readonly AddressBytes[]): Promise<readonly (Slot | null)[]> {
    return addresses.length === 0 ? [] : this.#reader.readSeenSlots(addresses);
  }

  /** Sources of each list, ascending by address; same order as asked. */
  async readLinks(lists: readonly LinkList[]): Promise<AddressBytes[][]> {
    const stored = new Map<string, AddressBytes[]>();
    // One read per role, so that no target is asked for a role it does not need.
    for (const role of new Set(lists.map((list) => list.role))) {
      const targets = lists.filter((list) => list.role === role).map((list) => list.target);
      for (const link of await this.#reader.readLinks(targets, [role], LINKS_PER_PAGE)) {
        const key = listKey(link.role, link.target);
        const list = stored.get(key);
        if (list === undefined) stored.set(key, [link.source]);
        else list.push(link.source);
      }
    }
    const found: AddressBytes[][] = [];
    for (const list of lists) {
      const page = stored.get(listKey(list.role, list.target)) ?? [];
      found.push(page.length < LINKS_PER_PAGE ? page : await this.#readRest(list, page));
    }
    return found;
  }

  async #readRest(list: LinkList, first: readonly AddressBytes[]): Promise<AddressBytes[]> {
    const sources = [...first];
    while (sources.length < LINKS_PER_ASSET_MAX) {
      const after = sources.at(-1) ?? null;
      const page = await this.#reader.readLinkPage(list.target, list.role, after, LINKS_PER_PAGE);
      sources.push(...page.map((link) => link.source));
      if (page.length < LINKS_PER_PAGE) return sources;
    }
    this.#report({
      kind: "links-cut",
      address: list.target,
      slot: 0,
      reason: `more than ${LINKS_PER_ASSET_MAX} accounts claim the role ${list.role}`,
    });
    return sources;
  }
}
