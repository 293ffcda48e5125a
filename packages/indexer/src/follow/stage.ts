import {
  type Account,
  AddressMap,
  type ChainEvent,
  hashAddress,
  isOlderVersion,
  type Slot,
  type Transaction,
} from "@lamplight/core";
import type { SlotUpdates } from "../overlay/fork-overlay.ts";

/** What was told of one slot so far. */
export class Stage {
  readonly slot: Slot;
  /** Number of the stream that told it. */
  stream: number;
  isComplete = false;
  parent: Slot | null = null;
  blockhash: string | null = null;
  parentBlockhash: string | null = null;
  readonly #accounts = new AddressMap<Account>();
  readonly #transactions = new Map<string, Transaction>();

  constructor(slot: Slot, stream: number) {
    this.slot = slot;
    this.stream = stream;
  }

  /** Account versions and transactions kept. */
  get size(): number {
    return this.#accounts.size + this.#transactions.size;
  }

  /** Within a slot the highest write version wins; of equal ones the later arrival. */
  addAccount(account: Account): void {
    const { address } = account;
    const hash = hashAddress(address);
    const known = this.#accounts.get(address, hash);
    if (known === undefined || account.writeVersion >= known.writeVersion)
      this.#accounts.set(address, account, hash);
  }

  /** All that another stage was told, of whatever slot: the newest version counts. */
  addAll(accounts: readonly Account[], transactions: readonly Transaction[]): void {
    for (const account of accounts) {
      const known = this.#accounts.get(account.address);
      if (known === undefined || !isOlderVersion(account, known))
        this.#accounts.set(account.address, account);
    }
    for (const transaction of transactions) this.addTransaction(transaction);
  }

  addTransaction(transaction: Transaction): void {
    this.#transactions.set(transaction.signature, transaction);
  }

  setParent(parent: Slot): void {
    this.parent ??= parent;
  }

  /** What the block says of itself counts more than the slot message. */
  setBlock(block: Extract<ChainEvent, { kind: "block" }>): void {
    this.parent = block.parent;
    this.blockhash = block.blockhash;
    this.parentBlockhash = block.parentBlockhash;
  }

  /** Without hashes nothing can be said: the later one counts. */
  isSameBlock(other: Stage): boolean {
    return this.blockhash !== null && this.blockhash === other.blockhash;
  }

  /** Complete, with a parent. */
  updates(): SlotUpdates {
    return {
      slot: this.slot,
      parent: this.parent!,
      blockhash: this.blockhash,
      // In the order of the writes, so that what follows from it does not depend on the order of arrival.
      accounts: this.#accounts
        .values()
        .toSorted((a, b) => a.slot - b.slot || a.writeVersion - b.writeVersion),
      transactions: [...this.#transactions.values()].toSorted(
        (a, b) => a.slot - b.slot || (a.index ?? 0) - (b.index ?? 0),
      ),
    };
  }
}
