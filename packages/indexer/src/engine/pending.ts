import type { AccountState, AddressBytes, LedgerState, Link, LinkRole, Slot } from "@lamplight/core";
import { addressKey, AddressMap } from "./address-map.ts";

/** What a commit is going to change, looked through by the reads that happen before it. */
export class Pending {
  readonly states = new AddressMap<AccountState>();
  readonly ledger = new AddressMap<LedgerState>();
  /** Slots lower than what the store holds. */
  readonly seen = new AddressMap<Slot>();
  readonly #added = new Map<string, Link>();
  readonly #removed = new Map<string, Link>();

  addLink(link: Link): void {
    const key = linkKey(link);
    if (!this.#removed.delete(key)) this.#added.set(key, link);
  }

  removeLink(link: Link): void {
    const key = linkKey(link);
    if (!this.#added.delete(key)) this.#removed.set(key, link);
  }

  linksAdded(): Link[] {
    return [...this.#added.values()];
  }

  linksRemoved(): Link[] {
    return [...this.#removed.values()];
  }

  /** Whether a link of the store is about to go. */
  isRemoved(link: Link): boolean {
    return this.#removed.has(linkKey(link));
  }

  /** Links about to come, by the key of `listKey`. */
  addedByList(): Map<string, AddressBytes[]> {
    const lists = new Map<string, AddressBytes[]>();
    for (const link of this.#added.values()) {
      const key = listKey(link.role, link.target);
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [link.source]);
      else list.push(link.source);
    }
    return lists;
  }
}

/** One list of links: all sources of a role and target. */
export const listKey = (role: LinkRole, target: AddressBytes): string => `${role} ${addressKey(target)}`;

const linkKey = (link: Link): string => `${listKey(link.role, link.target)}${addressKey(link.source)}`;
