import { decodeAddress } from "@lamplight/codecs";
import {
  type Account,
  type IndexReader,
  isTreeComplete,
  parseTreeState,
  type Slot,
  treeCoverageOf,
} from "@lamplight/core";
import { ACCOUNTS_PER_PAGE_MAX } from "./limits.ts";

/** Every account in a store, closed ones too, in storage order. */
export async function* readStoredAccounts(store: IndexReader): AsyncGenerator<Account> {
  let after: Uint8Array | null = null;
  for (;;) {
    const page: Awaited<ReturnType<IndexReader["readAccountPage"]>> = await store.readAccountPage(
      after,
      ACCOUNTS_PER_PAGE_MAX,
    );
    for (const { current } of page) yield current;
    const last = page.at(-1);
    if (last === undefined || page.length < ACCOUNTS_PER_PAGE_MAX) return;
    after = last.current.address;
  }
}

/**
 * First slot from which a store at `finalizedSlot` needs a tree's transactions: that of the newest change that it has. The
 * tree may not have been followed since. While a change is missing, it needs those from the last change before it on, or
 * all where the tree had a former life.
 *
 * @param tree - base58 text
 */
export const readTreeSlot = async (
  store: Pick<IndexReader, "readLedger">,
  tree: string,
  finalizedSlot: Slot,
): Promise<Slot> => {
  const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
  if (row === undefined || row === null) return 0;
  const state = parseTreeState(row.state);
  const { ranges, slots = [], former = [] } = state;
  if (ranges.length === 0) return 0;
  // Stores of earlier versions have no slots.
  if (isTreeComplete(treeCoverageOf(tree, state))) return slots.at(-1)?.[1] || finalizedSlot;
  const isFromFirst = former.length === 0 && ranges[0] !== undefined && ranges[0][0] <= 1;
  return isFromFirst ? (slots[0]?.[1] ?? 0) : 0;
};
