import { decodeAddress } from "@lamplight/codecs";
import {
  type Account,
  type IndexReader,
  isTreeComplete,
  parseTreeState,
  type Slot,
  treeCoverageOf,
} from "@lamplight/core";
import { accountsPerPageMax } from "./limits.ts";

/** Every account a store holds, closed ones too, in storage order. */
export async function* readStoredAccounts(store: IndexReader): AsyncGenerator<Account> {
  let after: Uint8Array | null = null;
  for (;;) {
    const page: Awaited<ReturnType<IndexReader["readAccountPage"]>> = await store.readAccountPage(
      after,
      accountsPerPageMax,
    );
    for (const { current } of page) yield current;
    const last = page.at(-1);
    if (last === undefined || page.length < accountsPerPageMax) return;
    after = last.current.address;
  }
}

/**
 * From which slot on a tree's transactions are needed by a store that is at `finalizedSlot`: all of them while some
 * change is known to be missing.
 *
 * @param tree - base58 text
 */
export const readTreeSlot = async (store: IndexReader, tree: string, finalizedSlot: Slot): Promise<Slot> => {
  const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
  if (row === undefined || row === null) return 0;
  return isTreeComplete(treeCoverageOf(tree, parseTreeState(row.state))) ? finalizedSlot : 0;
};
