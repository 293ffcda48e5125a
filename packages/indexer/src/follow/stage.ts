import {
  type Account,
  AddressMap,
  type BankId,
  type ChainEvent,
  hashAddress,
  isOlderVersion,
  type Slot,
  type Transaction,
} from "@lamplight/core";
import type { Path } from "../engine/delta.ts";
import { sharedDataOf } from "../overlay/shared-data.ts";
import type { SlotUpdates } from "../overlay/slot-updates.ts";
import { fingerprintOf } from "../overlay/reported-fingerprint.ts";
import { transactionBytes } from "../overlay/transaction-bytes.ts";

/** Updates received for one bank of a slot so far. */
export class Stage {
  readonly slot: Slot;
  /** Number of the stream that reported it. */
  readonly stream: number;
  /** Null while the stream has not named it. It means nothing in a later stream. */
  bank: BankId | null;
  /** `ended` = its end was reported, but not yet proven that nothing before it was missed. */
  progress: "open" | "ended" | "complete" = "open";
  /** Whether its creation was reported. */
  isCreated = false;
  hasBlock = false;
  parent: Slot | null = null;
  blockhash: string | null = null;
  parentBlockhash: string | null = null;
  /** Accounts by slot of the write: a stage that joins several slots keeps the state of an account in each of them. */
  readonly #accounts = new Map<Slot, AddressMap<Account>>();
  readonly #transactions = new Map<string, Transaction>();
  #bytes = 0;
  /** Data of accounts that an ancestor has, which count there. */
  readonly #shared = new Set<Uint8Array>();

  constructor(slot: Slot, stream: number, bank: BankId | null = null) {
    this.slot = slot;
    this.stream = stream;
    this.bank = bank;
  }

  get isComplete(): boolean {
    return this.progress === "complete";
  }

  /** Account versions and transactions kept. */
  get size(): number {
    let size = this.#transactions.size;
    for (const accounts of this.#accounts.values()) size += accounts.size;
    return size;
  }

  /** Bytes of account data and transactions kept, without those that it shares with an ancestor. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Within a slot the highest write version counts. If two are equal, the later arrival counts.
   *
   * @returns whether it changed anything
   */
  addAccount(account: Account): boolean {
    const { address, data } = account;
    const hash = hashAddress(address);
    const accounts = this.#accountsOf(account.slot);
    const known = accounts.get(address, hash);
    if (known !== undefined && isOlderVersion(account, known)) return false;
    accounts.set(address, account, hash);
    this.#bytes += data.length - (known === undefined ? 0 : this.#bytesOf(known));
    return known === undefined || isOlderVersion(known, account);
  }

  /** @returns whether it changed anything */
  addTransaction(transaction: Transaction): boolean {
    const { signature } = transaction;
    const known = this.#transactions.get(signature);
    this.#transactions.set(signature, transaction);
    this.#bytes += transactionBytes(transaction) - (known === undefined ? 0 : transactionBytes(known));
    return known === undefined;
  }

  /** Updates of several slots at once: within each slot the newest version of an account counts. */
  addAll(accounts: readonly Account[], transactions: readonly Transaction[]): void {
    for (const account of accounts) this.addAccount(account);
    for (const transaction of transactions) this.addTransaction(transaction);
  }

  /** Keeps large data that an ancestor left as they are once. */
  shareData(below: Path): void {
    for (const accounts of this.#accounts.values())
      for (const account of accounts.values()) {
        const data = this.#shared.has(account.data) ? null : sharedDataOf(account, below);
        if (data === null) continue;
        accounts.set(account.address, { ...account, data });
        this.#shared.add(data);
        this.#bytes -= data.length;
      }
  }

  setParent(parent: Slot): void {
    this.parent ??= parent;
  }

  /** The block message overrides the parent of the slot message. */
  setBlock(
    block: Pick<Extract<ChainEvent, { kind: "block" }>, "parent" | "blockhash" | "parentBlockhash">,
  ): void {
    this.hasBlock = true;
    this.parent = block.parent;
    this.blockhash = block.blockhash;
    this.parentBlockhash = block.parentBlockhash;
  }

  /** Whether this bank was reported with another block. */
  isOtherBlock({ blockhash }: { readonly blockhash: string | null }): boolean {
    return this.blockhash !== null && blockhash !== null && this.blockhash !== blockhash;
  }

  /** Some sources learn the hash only when the slot is finalized. */
  noteBlockhash(blockhash: string | null): void {
    this.blockhash ??= blockhash;
  }

  /** False also without hashes, and where the updates differ. Then the later stage counts. */
  isSameBlock(other: Stage): boolean {
    const isSame = this.blockhash !== null && this.blockhash === other.blockhash && this.size === other.size;
    return isSame && this.#fingerprint() === other.#fingerprint();
  }

  #fingerprint(): string {
    return fingerprintOf(this.#allAccounts(), [...this.#transactions.values()]);
  }

  #bytesOf({ data }: Account): number {
    return this.#shared.has(data) ? 0 : data.length;
  }

  #accountsOf(slot: Slot): AddressMap<Account> {
    const known = this.#accounts.get(slot);
    if (known !== undefined) return known;
    const accounts = new AddressMap<Account>();
    this.#accounts.set(slot, accounts);
    return accounts;
  }

  #allAccounts(): Account[] {
    return [...this.#accounts.values()].flatMap((accounts) => accounts.values());
  }

  /** Complete, with a parent. */
  updates(): SlotUpdates {
    return {
      slot: this.slot,
      parent: this.parent!,
      blockhash: this.blockhash,
      // Accounts are in the order of write versions, so that the result does not depend on the order of arrival.
      accounts: this.#allAccounts().toSorted((a, b) => a.slot - b.slot || a.writeVersion - b.writeVersion),
      transactions: [...this.#transactions.values()].toSorted(
        (a, b) => a.slot - b.slot || (a.index ?? 0) - (b.index ?? 0),
      ),
    };
  }
}
