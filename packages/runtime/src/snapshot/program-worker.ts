// A thread that reads the accounts of one program from a ledger snapshot.

import { workerData } from "node:worker_threads";
import { decodeAddress, sameBytes } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { FILL_ACCOUNTS_PER_SLOT, FILL_BYTES_PER_SLOT } from "@lamplight/indexer";
import {
  accountsOf,
  findSnapshotSources,
  mergeIn,
  SnapshotMerge,
  type StagedSnapshot,
  type StageSelection,
} from "@lamplight/sources/snapshot";
import { placeOf, serveTasks } from "@lamplight/sources/snapshot/merge";
import type { StageState } from "../process/load-stages.ts";
import type { ProgramDone, ProgramTask, ProgramThreadData, StagedProgram } from "./program-messages.ts";
import { stageArchives } from "./stage-archives.ts";

const { program, after, minSlot, full, incremental, folder } = workerData as ProgramThreadData;
const programBytes = decodeAddress(program);

const selection: StageSelection = {
  key: `accounts of program ${program}`,
  keepsData: (bytes, _, programOwnerAt) =>
    sameBytes(bytes.subarray(programOwnerAt, programOwnerAt + programBytes.length), programBytes),
};

let pages: AsyncGenerator<readonly Account[]> | null = null;

const stage = async (note: (state: StageState) => void): Promise<StagedProgram> => {
  // An archive that its name shows to be too old is not read.
  const named = await findSnapshotSources(full, incremental);
  assertNewEnough((named.incremental ?? named.full).name.slot ?? minSlot, named);
  const reporter = { update: note, say: () => {}, end: () => {} };
  const staged = await stageArchives({ full, incremental, selection, folder }, reporter);
  await staged.saved;
  assertNewEnough((staged.state.incremental ?? staged.state.full).manifest.slot, staged.sources);
  const merge = new SnapshotMerge(staged, { hashes: "filtered", run: mergeIn(0) });
  let count = 0;
  for await (const batch of merge.batches()) {
    for (const _ of needed(accountsOf(batch))) count += 1;
    note({ stage: "compare", share: (batch.partition + 1) / merge.partitionsTotal, accounts: count });
  }
  const { slot, blockhash } = merge.prove();
  pages = pagesOf(staged);
  return { kind: "staged", archive: placeIn(staged.sources), slot, blockhash, count };
};

/** @throws LamplightError `SOURCE__SNAPSHOT_REFUSED` */
const assertNewEnough = (slot: number, sources: StagedSnapshot["sources"]): void => {
  if (slot >= minSlot) return;
  const reason = `it is of slot ${slot}, and one of slot ${minSlot} or later is needed`;
  throw new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive: placeIn(sources), reason });
};

const placeIn = (sources: StagedSnapshot["sources"]): string => (sources.incremental ?? sources.full).place;

function* needed(accounts: Iterable<Account>): Generator<Account> {
  for (const account of accounts) {
    const isOfProgram = sameBytes(account.programOwner, programBytes);
    if (isOfProgram && (after === null || placeOf(account.address) > after)) yield account;
  }
}

async function* pagesOf(staged: StagedSnapshot): AsyncGenerator<readonly Account[]> {
  let page: Account[] = [];
  let bytes = 0;
  const merge = new SnapshotMerge(staged, { hashes: "filtered", run: mergeIn(0) });
  for await (const batch of merge.batches()) {
    for (const account of needed(accountsOf(batch))) {
      page.push(copied(account));
      bytes += account.data.length;
      if (page.length < FILL_ACCOUNTS_PER_SLOT && bytes < FILL_BYTES_PER_SLOT) continue;
      yield page;
      page = [];
      bytes = 0;
    }
  }
  if (page.length > 0) yield page;
}

/** The bytes of an account of a batch are views, and a message would take the whole batch with each. */
const copied = (account: Account): Account => ({
  ...account,
  address: account.address.slice(),
  programOwner: account.programOwner.slice(),
  data: account.data.slice(),
});

const next = async (): Promise<ProgramDone> => {
  const page = await pages!.next();
  return { kind: "accounts", accounts: page.done === true ? [] : page.value };
};

serveTasks<ProgramTask, ProgramDone, StageState>(async (task, note) => ({
  done: task === "stage" ? await stage(note) : await next(),
  buffers: [],
}));
