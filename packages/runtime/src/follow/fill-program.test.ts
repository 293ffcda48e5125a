// A filling that ends early, and goes on after the last account that is in the store.

import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import { type Account, closedAccount } from "@lamplight/core";
import type { FillPage } from "@lamplight/indexer";
import { placeOf } from "@lamplight/sources/snapshot/merge";
import { expect, test } from "vitest";
import type { StageState } from "../process/load-stages.ts";
import { type FillNote, fillProgram } from "./fill-program.ts";
import type { OpenedProgram } from "./changing-source.ts";

const PAGES = 3;
const PAGE_ACCOUNTS = 1000;
const SINCE = 5;

/** Ascending by place. The second half of the addresses comes first. */
const accounts: readonly Account[] = Array.from({ length: PAGES * PAGE_ACCOUNTS }, (_, index) => {
  const address = Buffer.alloc(32);
  address.writeUInt32BE(((index << 16) ^ 0x80000000) >>> 0);
  return closedAccount(new Uint8Array(address), SINCE + (index % 7));
});

/** Whether each reading was closed as one that no run has to continue. */
const closed: boolean[] = [];
const close = async (isDone: boolean): Promise<void> => void closed.push(isDone);

const read = async (after: string | null): Promise<OpenedProgram> => {
  const rest = accounts.filter(({ address }) => after === null || placeOf(address) > after);
  const batches = (async function* () {
    for (let from = 0; from < rest.length; from += 300)
      yield { slot: SINCE + 6, accounts: rest.slice(from, from + 300) };
  })();
  return { count: rest.length, batches, close };
};

const filling = {
  program: programAddressTexts.mplCore,
  since: SINCE,
  accounts: 0,
  total: null,
  problem: null,
} as const;

/** The runs reported these. */
const states: StageState[] = [];

const parts = {
  signal: new AbortController().signal,
  inform: (): void => {},
  progress: { update: (state: StageState) => states.push(state) },
  read,
};

/** Fills until some pages are in the store. */
const fill = async (from: FillNote, pagesMax: number) => {
  const pages: FillPage[] = [];
  const totals: number[] = [];
  let done = from;
  const add = async (page: FillPage): Promise<number> => {
    if (pages.length === pagesMax) throw new Error("killed");
    page.onCommit();
    return pages.push(page);
  };
  const count = await fillProgram(
    { ...filling, ...from },
    {
      ...parts,
      fill: { add, drained: async () => {} },
      isFilling: () => true,
      noteTotal: async (total) => void totals.push(total),
      noteDone: (now) => (done = now),
    },
  ).catch(() => "killed");
  return { pages, totals, done, count };
};

test("a run goes on after the accounts that an earlier one has committed", async () => {
  const first = await fill({ accounts: 0 }, 2);
  expect(first).toMatchObject({ count: "killed", totals: [accounts.length] });
  const last = accounts[2 * PAGE_ACCOUNTS - 1]!;
  expect(first.done).toEqual({ accounts: 2 * PAGE_ACCOUNTS, after: encodeAddress(last.address) });
  const second = await fill(first.done, PAGES);
  expect(second).toMatchObject({ count: accounts.length, totals: [accounts.length] });
  expect(closed).toEqual([false, true]);
  const stage = `add program ${programAddressTexts.mplCore}`;
  expect(states).toEqual([
    { stage, share: 0, accounts: 0 },
    { stage, share: 1 / 3, accounts: PAGE_ACCOUNTS },
    { stage, share: 2 / 3, accounts: 2 * PAGE_ACCOUNTS },
    { stage, share: 0, accounts: 0 },
    { stage, share: 1, accounts: PAGE_ACCOUNTS },
  ]);
  const found = [...first.pages, ...second.pages];
  expect(found.flatMap((page) => page.accounts)).toEqual(accounts);
  for (const page of found) {
    expect(page.since).toBe(SINCE);
    expect(page.slot).toBe(SINCE + 6);
  }
});

test("what comes in after its program was dropped is not noted", async () => {
  const pages: FillPage[] = [];
  const noted: FillNote[] = [];
  const count = await fillProgram(filling, {
    ...parts,
    fill: { add: async (page) => pages.push(page), drained: async () => {} },
    isFilling: () => pages.length < 2,
    noteTotal: async () => {},
    noteDone: (now) => noted.push(now),
  });
  expect([count, pages.length]).toEqual([null, 2]);
  for (const page of pages) page.onCommit();
  expect(noted).toEqual([]);
});
