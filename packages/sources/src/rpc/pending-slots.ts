import { encodeAddress } from "@lamplight/codecs";
import type { Account, Slot, Transaction } from "@lamplight/core";
import { pendingBytesMax, PENDING_VERSIONS_MAX } from "./limits.ts";

interface Waiting {
  readonly accounts: Map<string, Account>;
  readonly transactions: Map<string, Transaction>;
}

/** Updates that are not emitted yet, by slot. */
export class PendingSlots {
  readonly #slots = new Map<Slot, Waiting>();
  #size = 0;
  #bytes = 0;

  /** Account versions and transactions. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of the data of accounts. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#size > PENDING_VERSIONS_MAX || this.#bytes > pendingBytesMax();
  }

  addAccount(account: Account): void {
    const { accounts } = this.#at(account.slot);
    const address = encodeAddress(account.address);
    const before = accounts.get(address);
    if (before === undefined) this.#size += 1;
    this.#bytes += account.data.length - (before?.data.length ?? 0);
    accounts.set(address, account);
  }

  addTransaction(transaction: Transaction): void {
    const { transactions } = this.#at(transaction.slot);
    if (!transactions.has(transaction.signature)) this.#size += 1;
    transactions.set(transaction.signature, transaction);
  }

  /** The lowest slot above `after`; null when there is none. */
  nextSlot(after: Slot): Slot | null {
    let lowest: Slot | null = null;
    for (const slot of this.#slots.keys())
      if (slot > after && (lowest === null || slot < lowest)) lowest = slot;
    return lowest;
  }

  /** Removes and returns everything up to a slot: of each account its state in every slot that wrote it. */
  take(through: Slot): {
    readonly accounts: readonly Account[];
    readonly transactions: readonly Transaction[];
  } {
    const accounts: Account[] = [];
    const transactions: Transaction[] = [];
    for (const slot of [...this.#slots.keys()].filter((each) => each <= through).toSorted((a, b) => a - b)) {
      const waiting = this.#slots.get(slot)!;
      for (const account of waiting.accounts.values()) {
        accounts.push(account);
        this.#bytes -= account.data.length;
      }
      transactions.push(...waiting.transactions.values());
      this.#size -= waiting.accounts.size + waiting.transactions.size;
      this.#slots.delete(slot);
    }
    return { accounts, transactions };
  }

  /** The next accounts and transactions of any slots, in order. If there are many, it returns only a part. */
  takeSome(max: number): {
    readonly accounts: readonly Account[];
    readonly transactions: readonly Transaction[];
  } {
    const slot = this.nextSlot(-1);
    const waiting = slot === null ? undefined : this.#slots.get(slot);
    if (slot === null || waiting === undefined || waiting.accounts.size <= max) return this.take(slot ?? -1);
    const accounts: Account[] = [];
    for (const [address, account] of waiting.accounts) {
      if (accounts.length === max) break;
      accounts.push(account);
      waiting.accounts.delete(address);
      this.#bytes -= account.data.length;
    }
    this.#size -= accounts.length;
    return { accounts, transactions: [] };
  }

  #at(slot: Slot): Waiting {
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const waiting: Waiting = { accounts: new Map(), transactions: new Map() };
    this.#slots.set(slot, waiting);
    return waiting;
  }
}
