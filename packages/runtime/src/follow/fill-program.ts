import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { Account, FillingProgram } from "@lamplight/core";
import { FILL_ACCOUNTS_PER_SLOT, FILL_BYTES_PER_SLOT, type ForkOverlay } from "@lamplight/indexer";
import { placeOf } from "@lamplight/sources/snapshot/merge";
import type { ProgramAccounts } from "@lamplight/sources/yellowstone";
import type { StageReporter } from "../process/load-stages.ts";
import type { OpenedProgram } from "./changing-source.ts";

/** How far a program is filled. */
export type FillNote = Pick<FillingProgram, "accounts" | "after">;

interface FillParts {
  readonly fill: Pick<ForkOverlay["fill"], "add" | "drained">;
  readonly signal: AbortSignal;
  readonly inform: (line: string) => void;
  readonly progress: Pick<StageReporter, "update">;
  /** Reads the accounts that follow a place. */
  readonly read: (after: string | null) => Promise<OpenedProgram>;
  /** False once the program was dropped. */
  readonly isFilling: () => boolean;
  /** Keeps how many accounts there are. */
  readonly noteTotal: (total: number) => Promise<void>;
  /** Called with what is in the store, unless the program was dropped. */
  readonly noteDone: (done: FillNote) => void;
}

/**
 * Reads the accounts of a program, and adds them to new slots until all are in the store. Each is complete as of the slot
 * that it was read at, and every later write of it is kept. So a run that ends before is continued by the next one, which
 * reads the others as of later slots.
 *
 * @returns number of accounts; null = the program was dropped before that
 */
export const fillProgram = async (
  { program, since, accounts: before, after }: FillingProgram,
  { fill, signal, inform, progress, read, isFilling, noteTotal, noteDone }: FillParts,
): Promise<number | null> => {
  const { count, batches, close } = await read(after === undefined ? null : placeOf(decodeAddress(after)));
  let isDone = false;
  try {
    await noteTotal(before + count);
    inform(`program ${program}: ${count} accounts are to be read; adding them to new slots`);
    let done = before;
    // The rate is that of this run.
    const report = (): void =>
      progress.update({
        stage: `add program ${program}`,
        share: count === 0 ? 1 : (done - before) / count,
        accounts: done - before,
      });
    report();
    for await (const { slot, accounts } of pagesOf(batches)) {
      if (!isFilling()) break;
      const onCommit = (): void => {
        done += accounts.length;
        // Pages of a program that was dropped, and may be added again, come in later.
        if (!isFilling()) return;
        noteDone({ accounts: done, after: encodeAddress(accounts.at(-1)!.address) });
        report();
      };
      const none = { forgotten: [], forget: () => null };
      await fill.add({ slot, since: since!, accounts, ...none, onCommit }, signal);
    }
    if (isFilling()) await fill.drained(signal);
    isDone = true;
    return isFilling() ? done : null;
  } finally {
    await close(isDone);
  }
};

/** Pages of at most so many accounts, and so many bytes unless one account has more. */
async function* pagesOf(batches: ProgramAccounts["batches"]): ProgramAccounts["batches"] {
  let page: Account[] = [];
  let [slot, bytes] = [0, 0];
  for await (const batch of batches) {
    for (const account of batch.accounts) {
      const isFull =
        page.length >= FILL_ACCOUNTS_PER_SLOT || bytes + account.data.length > FILL_BYTES_PER_SLOT;
      if (isFull && page.length > 0) {
        yield { slot, accounts: page };
        page = [];
        [slot, bytes] = [0, 0];
      }
      page.push(account);
      slot = Math.max(slot, batch.slot);
      bytes += account.data.length;
    }
  }
  if (page.length > 0) yield { slot, accounts: page };
}
