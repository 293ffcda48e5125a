import { setTimeout as sleep } from "node:timers/promises";
import { decodeAddress, encodeAddress, sameBytes } from "@lamplight/codecs";
import type { Account, AccountState, AddressBytes, FilteredCoverage, IndexStore } from "@lamplight/core";
import type { FillPage, ForkOverlay } from "@lamplight/indexer";
import { singlesOf } from "./followed-accounts.ts";

interface RemoveParts {
  readonly store: IndexStore;
  readonly overlay: ForkOverlay;
  readonly coverage: FilteredCoverage;
  readonly signal: AbortSignal;
}

/** Accounts that are read at once, and removed in one transaction. */
const ACCOUNTS_PER_PAGE = 500;
/** Each page waits for so many times as long as it took: the follower writes slots for the rest. */
const WAITS_PER_PAGE = 3;

/**
 * Removes the accounts of a program that the store no longer covers, with what was derived of them. New slots take the
 * removal page by page; the tombstones that it leaves are deleted once they are finalized. A run that ends before begins
 * again.
 *
 * @param program - base58 text; no slot above the finalized one has a write of its accounts
 * @returns number of accounts
 */
export const removeProgram = async (
  program: string,
  { store, overlay, coverage, signal }: RemoveParts,
): Promise<number> => {
  const forget = forgetOf(program, coverage);
  /** Accounts of which tombstones are left. */
  let bare: AddressBytes[] = [];
  let count = 0;
  const removeBare = async (): Promise<void> => {
    const addresses = bare;
    if (addresses.length === 0) return;
    bare = [];
    await overlay.whileIdle(async () => store.removeTombstones?.(addresses));
  };
  // Pages of a filling that was given up.
  await overlay.fill.drained(signal);
  for (let after: AddressBytes | null = null; ;) {
    const startMs = performance.now();
    const from: AddressBytes | null = after;
    const page: readonly AccountState[] = await overlay.whileIdle(() =>
      store.readAccountPage(from, ACCOUNTS_PER_PAGE),
    );
    const states = page.filter((state) => forget(state) !== null);
    count += states.length;
    for (const state of states) if (isBare(state)) bare.push(state.current.address);
    const forgotten = states.filter((state) => !isBare(state)).map(({ current }) => current.address);
    const onCommit = (): void => void bare.push(...forgotten);
    if (forgotten.length > 0)
      await overlay.fill.add({ slot: 0, since: 0, accounts: [], forgotten, forget, onCommit }, signal);
    await removeBare();
    after = page.at(-1)?.current.address ?? null;
    if (page.length < ACCOUNTS_PER_PAGE) break;
    await sleep(WAITS_PER_PAGE * (performance.now() - startMs), undefined, { signal });
  }
  await overlay.fill.drained(signal);
  await removeBare();
  return count;
};

/**
 * What is left of an account of the program: an empty tombstone of the same version, without a last life of this program.
 * Of an account that another program has now, such a last life is removed. Single accounts stay covered.
 */
const forgetOf = (program: string, coverage: FilteredCoverage): FillPage["forget"] => {
  const bytes = decodeAddress(program);
  const singles = new Set(singlesOf(coverage));
  const isOf = (account: Account | null): boolean =>
    account !== null && sameBytes(account.programOwner, bytes);
  return ({ current, lastLife }) => {
    if (singles.has(encodeAddress(current.address))) return null;
    if (!isOf(current) && !isOf(lastLife)) return null;
    return {
      current: isOf(current) ? emptied(current) : current,
      lastLife: isOf(lastLife) ? null : lastLife,
    };
  };
};

const emptied = (account: Account): Account => ({
  ...account,
  lamports: 0n,
  executable: false,
  data: new Uint8Array(0),
});

const isBare = ({ current, lastLife }: AccountState): boolean => current.lamports === 0n && lastLife === null;
