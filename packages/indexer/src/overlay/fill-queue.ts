import type { Account, AccountState, AddressBytes, Slot, Transaction } from "@lamplight/core";
import { FILL_PAGES_WAITING_MAX } from "./limits.ts";

/** A page of what a change of the coverage brings, or removes; or of what an incomplete tree lacks. */
export interface FillPage {
  /** No account here is newer than this finalized slot. Only this slot or a later one takes the page. */
  readonly slot: Slot;
  /** First slot whose writes of these accounts are all derived here. */
  readonly since: Slot;
  /** Each is of the slot that it was read at, or of its last write before. */
  readonly accounts: readonly Account[];
  /** Transactions of any slot up to `slot`, which complete what is known of trees; absent = none. */
  readonly transactions?: readonly Transaction[];
  /** Accounts of which something is removed. */
  readonly forgotten: readonly AddressBytes[];
  /** What is left of the state of such an account; null = it stays as it is. */
  readonly forget: (state: AccountState) => AccountState | null;
  /** Called once the page is in the store. */
  readonly onCommit: () => void;
}

/**
 * Pages on their way into the store. Each new slot takes one page, in addition to its own writes: so the page is derived
 * over the same states as these writes, becomes final with them, and is committed with them. A slot of a fork takes the
 * page again. Pages are numbered in their order, from 1 on; each slot knows the last page on its way.
 */
export class FillQueue {
  readonly #pages: FillPage[] = [];
  #committed = 0;
  #waiting: (() => void)[] = [];
  /**
   * Whether closings of unknown accounts are kept: what is read elsewhere may still have these accounts. Set while
   * accounts are read.
   */
  keepsClosings = false;

  /** Number of the last page that is in the store. */
  get committed(): number {
    return this.#committed;
  }

  /** Adds a page, once few others wait. @returns its number */
  async add(page: FillPage, signal: AbortSignal): Promise<number> {
    while (this.#pages.length >= FILL_PAGES_WAITING_MAX) await this.#nextCommit(signal);
    signal.throwIfAborted();
    return this.#committed + this.#pages.push(page);
  }

  /** Resolves when no page waits, of those up to page `last` where it is given. */
  async drained(signal: AbortSignal, last = Infinity): Promise<void> {
    while (this.#pages.length > 0 && this.#committed < last) await this.#nextCommit(signal);
  }

  /** The page that a slot takes; null = none. @param last - the last page on the way to it */
  pageAfter(last: number, slot: Slot): FillPage | null {
    const page = this.#pages[last - this.#committed];
    return page !== undefined && page.slot <= slot ? page : null;
  }

  /** The slots up to page `last` are in the store. */
  noteCommitted(last: number): void {
    if (last <= this.#committed) return;
    const done = this.#pages.splice(0, last - this.#committed);
    this.#committed = last;
    for (const page of done) page.onCommit();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #nextCommit(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.push(wake);
    signal.addEventListener("abort", wake);
    await promise;
    signal.removeEventListener("abort", wake);
    signal.throwIfAborted();
  }
}
