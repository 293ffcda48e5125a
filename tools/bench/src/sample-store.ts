import {
  type Account,
  type AccountWrite,
  deriveAccountFacts,
  emptyChangeSet,
  type Watermark,
} from "@lamplight/core";
import { countsForAccounts, generateChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";

import { authorityOf, basisPointsOf, collectionAccount, memberAccount } from "./collections/core-accounts.ts";
import { keptStore } from "./kept-store.ts";
import { sampleLeaves } from "./sample-leaves.ts";

/** Raise when the generator or the schema changes: an older store is then built again. */
const sampleVersion: Readonly<Record<SampleKind, number>> = { accounts: 1, assets: 1, nfts: 3 };
/** Core assets in one collection, and compressed assets, for each NFT of `nfts`. */
const MEMBER_SHARE = 0.2;
const LEAF_SHARE = 0.2;
const SEED = 7;
const COMMIT_ACCOUNTS = 20_000;

/**
 * `accounts`: accounts and their indexes only. `assets`: through the indexer, documents and all. `nfts`: the same, with
 * as many NFTs as accounts are asked for, so with five times the accounts, and with Core assets in a collection and
 * compressed ones.
 */
export type SampleKind = "accounts" | "assets" | "nfts";

/** A store of about so many generated accounts, built once per machine and kept among temporary files. */
export const sampleStore = (
  kind: SampleKind,
  accounts: number,
  say: (line: string) => void,
): Promise<string> =>
  keptStore(`${kind}-${accounts}`, sampleVersion[kind], async (file) => {
    say(`building a store of ${accounts} accounts (${kind})`);
    const startMs = Date.now();
    const written = await (kind === "accounts"
      ? buildAccounts(file, accounts)
      : buildAssets(file, kind, accounts));
    say(`built ${written} accounts in ${Math.round((Date.now() - startMs) / 1000)} s`);
  });

const chainOf = (kind: SampleKind, accounts: number): ReturnType<typeof generateChain> => {
  const mixed = countsForAccounts(accounts);
  const counts = kind === "nfts" ? { ...mixed, nfts: accounts } : mixed;
  return generateChain({ seed: SEED, counts, derivedAddresses: "hash-once" });
};

const buildAccounts = async (file: string, accounts: number): Promise<number> => {
  const store = openSqliteStore({ file, mode: "write" });
  let written = 0;
  let pending: Account[] = [];
  let slot = 0;
  const flush = async (): Promise<void> => {
    const last = new Map(pending.map((account) => [Buffer.from(account.address).toString("hex"), account]));
    const writes = [...last.values()].map((account): AccountWrite => ({
      state: { current: account, lastLife: null },
      facts: deriveAccountFacts(account),
    }));
    await store.commit({ ...emptyChangeSet, watermark: { slot, blockhash: null }, accounts: writes });
    written += writes.length;
    pending = [];
  };
  for (const batch of chainOf("accounts", accounts)) {
    pending.push(...batch.accounts);
    ({ slot } = batch);
    if (pending.length >= COMMIT_ACCOUNTS) await flush();
  }
  if (pending.length > 0) await flush();
  await store.writeCoverage({ kind: "whole" });
  await store.close();
  return written;
};

const buildAssets = async (file: string, kind: SampleKind, accounts: number): Promise<number> => {
  const store = openSqliteStore({ file, mode: "write" });
  const indexer = createIndexer(store);
  let written = 0;
  let watermark: Watermark = { slot: 0, blockhash: null };
  for (const batch of chainOf(kind, accounts)) {
    await indexer.applyAccounts(batch.accounts, { slot: batch.slot, blockhash: batch.blockhash });
    written += batch.accounts.length;
    watermark = { slot: batch.slot, blockhash: batch.blockhash };
  }
  for (const members of kind === "nfts" ? coreMembers(accounts * MEMBER_SHARE, watermark.slot) : []) {
    await indexer.applyAccounts(members, watermark);
    written += members.length;
  }
  for (const batch of kind === "nfts" ? sampleLeaves(accounts * LEAF_SHARE, watermark.slot) : []) {
    await indexer.apply({ ...batch, watermark: { slot: batch.slot, blockhash: null } });
    written += batch.accounts.length;
  }
  await store.writeCoverage({ kind: "whole" });
  await store.close();
  return written;
};

/** A Core collection and its members, in batches. */
function* coreMembers(count: number, slot: number): Generator<readonly Account[]> {
  const terms = { authority: authorityOf(0), basisPoints: basisPointsOf(0) };
  yield [collectionAccount(terms, count, slot)];
  for (let from = 0; from < count; from += COMMIT_ACCOUNTS)
    yield Array.from({ length: Math.min(COMMIT_ACCOUNTS, count - from) }, (_, index) =>
      memberAccount(from + index, slot),
    );
}
