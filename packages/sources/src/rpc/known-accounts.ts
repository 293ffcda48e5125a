import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import { closedAccount, type Account, type Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { accountOfRow, type AccountRow, digestOfAccount, digestOfRow, isClosedRow } from "./account-row.ts";
import type { FollowPlan } from "./follow-plan.ts";
import type { ScanRegion } from "./scan-region.ts";
import { FOLLOWED_ACCOUNTS_MAX } from "./limits.ts";

interface Known {
  /** Newest slot at which the account is known to have this content. */
  slot: Slot;
  /** Null = closed. */
  digest: string | null;
  /** Scans that include it; none once it is closed. */
  regions: readonly ScanRegion[];
}

const noRegions: readonly ScanRegion[] = [];

/**
 * The last reported state of every followed account. It distinguishes changes from repetitions, and finds what a scan
 * lacks. An older slot never wins; of equal ones the later arrival does.
 */
export class KnownAccounts {
  readonly #plan: FollowPlan;
  readonly #url: string;
  readonly #known = new Map<string, Known>();
  /** Living accounts of each scan. */
  readonly #members = new Map<ScanRegion, Set<string>>();

  /** @param url - name of the node, for messages */
  constructor(plan: FollowPlan, url: string) {
    this.#plan = plan;
    this.#url = url;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Adds an account that was emitted before. */
  remember(account: Account): void {
    const address = encodeAddress(account.address);
    if (account.lamports === 0n) {
      // An older living state that was read before is no longer the last reported one.
      this.takeAbsence(address, account.slot);
      return;
    }
    if (!this.#plan.covers(account, address)) return;
    const known = this.#known.get(address);
    if (known !== undefined && account.slot < known.slot) return;
    this.#put(address, account.slot, digestOfAccount(account), account);
  }

  /**
   * @param slot - at which the account has this state
   * @returns the update to emit; null when it is older than, or equal to, the last reported state
   * @throws DumpFault; LamplightError `SOURCE__REFUSED` when there are too many accounts
   */
  take(row: AccountRow, slot: Slot): Account | null {
    if (isClosedRow(row)) return this.takeAbsence(row.pubkey, slot);
    const known = this.#known.get(row.pubkey);
    if (known !== undefined && slot < known.slot) return null;
    const digest = digestOfRow(row);
    if (known?.digest === digest) {
      known.slot = slot;
      return null;
    }
    const account = accountOfRow(row, slot);
    this.#plan.note(account);
    // It has another owner now, so its later updates are not reported to us.
    if (!this.#plan.covers(account, row.pubkey)) return this.takeAbsence(row.pubkey, slot);
    this.#put(row.pubkey, slot, digest, account);
    return account;
  }

  /** @returns the tombstone to emit; null when the account is already closed, unknown, or known at a later slot */
  takeAbsence(address: string, slot: Slot): Account | null {
    const known = this.#known.get(address);
    if (known === undefined || slot < known.slot) return null;
    const isNews = known.digest !== null;
    known.slot = slot;
    known.digest = null;
    this.#leave(address, known);
    known.regions = noRegions;
    return isNews ? closedAccount(decodeAddress(address), slot) : null;
  }

  /** Living accounts of a scan. */
  membersOf(scan: ScanRegion): readonly string[] {
    return [...(this.#members.get(scan) ?? [])];
  }

  /** Accounts of a scan, known at `slot` or before, that its answer of that slot lacks. */
  missing(scan: ScanRegion, present: ReadonlySet<string>, slot: Slot): readonly string[] {
    const members = this.#members.get(scan) ?? new Set();
    return [...members].filter((address) => !present.has(address) && this.#known.get(address)!.slot <= slot);
  }

  /** Whether an account belongs to a part of the plan, as far as known. */
  isOf(part: FollowPlan, address: string): boolean {
    if (part.singles.has(address)) return true;
    const names = new Set(part.scans.map(({ name }) => name));
    return [...this.#members].some(([{ name }, members]) => names.has(name) && members.has(address));
  }

  /** Forgets accounts that were closed before a slot. */
  forgetClosed(slot: Slot): void {
    for (const [address, known] of this.#known)
      if (known.digest === null && known.slot < slot) this.#known.delete(address);
  }

  #put(address: string, slot: Slot, digest: string, account: Account): void {
    const known = this.#known.get(address);
    if (this.#known.size >= FOLLOWED_ACCOUNTS_MAX && known === undefined) {
      throw new LamplightError("SOURCE__REFUSED", {
        url: this.#url,
        reason: `more than ${FOLLOWED_ACCOUNTS_MAX} accounts are too many to follow from an RPC node; follow a Yellowstone stream`,
      });
    }
    if (known !== undefined) this.#leave(address, known);
    const regions = this.#plan.regionsOf(account);
    this.#known.set(address, { slot, digest, regions });
    for (const scan of regions) {
      const members = this.#members.get(scan);
      if (members === undefined) this.#members.set(scan, new Set([address]));
      else members.add(address);
    }
  }

  #leave(address: string, { regions }: Known): void {
    for (const scan of regions) this.#members.get(scan)?.delete(address);
  }
}
