import {
  type AccountState,
  type AddressBytes,
  hashAddress,
  type LedgerState,
  type Link,
  type Slot,
} from "@lamplight/core";
import { addressKey, AddressMap } from "./address-map.ts";
import { ledgerKey, type LinkChange, type LinkChanges, listKey, type StateDelta } from "./layer.ts";

/** The states that a step changes while it is derived: later reads of the step see them. */
export class DeltaDraft implements StateDelta {
  readonly states = new AddressMap<AccountState>();
  /** Slots lower than what the reader has. */
  readonly seen = new AddressMap<Slot>();
  readonly #ledger = new Map<string, LedgerState>();
  readonly #links = new Map<string, Map<string, LinkChange>>();

  setLedger(state: LedgerState): void {
    this.#ledger.set(ledgerKey(state.kind, state.key), state);
  }

  addLink(link: Link): void {
    this.#changeLink(link, false);
  }

  removeLink(link: Link): void {
    this.#changeLink(link, true);
  }

  ledger(): LedgerState[] {
    return [...this.#ledger.values()];
  }

  links(removed: boolean): Link[] {
    return [...this.#links.values()].flatMap((list) =>
      [...list.values()].filter((change) => change.removed === removed).map(({ link }) => link),
    );
  }

  findState(address: AddressBytes, hash = hashAddress(address)): AccountState | undefined {
    return this.states.get(address, hash);
  }

  findLedger(key: string): LedgerState | undefined {
    return this.#ledger.get(key);
  }

  findSeen(id: AddressBytes, hash: number): Slot | undefined {
    return this.seen.get(id, hash);
  }

  linksOf(list: string): LinkChanges | undefined {
    return this.#links.get(list);
  }

  /** A link that is removed and added again, or the other way round, is as it was. */
  #changeLink(link: Link, removed: boolean): void {
    const key = listKey(link.role, link.target);
    const source = addressKey(link.source);
    const list = this.#links.get(key) ?? new Map<string, LinkChange>();
    const known = list.get(source);
    if (known !== undefined && known.removed !== removed) list.delete(source);
    else list.set(source, { link, removed });
    this.#links.set(key, list);
  }
}
