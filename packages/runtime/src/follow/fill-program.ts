import type { Account, IndexStore, Slot } from "@lamplight/core";
import { FILL_ACCOUNTS_PER_SLOT, FILL_BYTES_PER_SLOT, type ForkOverlay } from "@lamplight/indexer";
import type { ProgramReader } from "@lamplight/sources/yellowstone";
import { knownChainOf } from "./known-chain.ts";

interface FillParts {
  readonly store: IndexStore;
  readonly overlay: ForkOverlay;
  readonly reader: ProgramReader;
  readonly signal: AbortSignal;
  readonly inform: (line: string) => void;
  /** False once the program was dropped. */
  readonly isFilling: () => boolean;
  /** Keeps how many accounts there are. */
  readonly note: (accounts: number, total: number) => Promise<void>;
  /** Called with the accounts that are in the store. */
  readonly noteDone: (accounts: number) => void;
}

/**
 * Reads the accounts of a program, and adds them to new slots until all are in the store. A run that ends before begins
 * again: what is in the store stays.
 *
 * @param since - first slot from which each write of the program's accounts is kept; it is finalized
 * @returns number of accounts; null = the program was dropped before that
 */
export const fillProgram = async (
  program: string,
  since: Slot,
  { store, overlay, reader, signal, inform, isFilling, note, noteDone }: FillParts,
): Promise<number | null> => {
  inform(`reading the accounts of program ${program} from the RPC node`);
  const base = await overlay.whileIdle(async () => ({
    watermark: await store.readWatermark(),
    chain: await knownChainOf(store),
  }));
  const { slot, accounts } = await reader.read(program, since, base);
  await note(0, accounts.length);
  inform(`program ${program} has ${accounts.length} accounts at slot ${slot}; adding them to new slots`);
  let done = 0;
  for (const page of pagesOf(accounts)) {
    if (!isFilling()) return null;
    const onCommit = (): void => {
      done += page.length;
      noteDone(done);
    };
    const none = { forgotten: [], forget: () => null };
    await overlay.fill.add({ slot, since, accounts: page, ...none, onCommit }, signal);
  }
  await overlay.fill.drained(signal);
  return isFilling() ? accounts.length : null;
};

/** Pages of at most so many accounts, and so many bytes unless one account has more. */
function* pagesOf(accounts: readonly Account[]): Generator<readonly Account[]> {
  let page: Account[] = [];
  let bytes = 0;
  for (const account of accounts) {
    const isFull = page.length >= FILL_ACCOUNTS_PER_SLOT || bytes + account.data.length > FILL_BYTES_PER_SLOT;
    if (isFull && page.length > 0) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(account);
    bytes += account.data.length;
  }
  if (page.length > 0) yield page;
}
