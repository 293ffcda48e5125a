import { nonCirculatingAccounts } from "@lamplight/core";
import { expect, test } from "vitest";
import { compareBytes } from "../columns/keys.ts";
import { accountOf } from "@lamplight/store-conformance/small-chain";
import { copyAccounts } from "./copied-accounts.ts";
import { TopAccountsDraft } from "./top-accounts-draft.ts";

/** Rows kept: those of an answer, of filters, the spare and half of the slack. */
const KEPT = 20 + nonCirculatingAccounts.length + 30_000;
const ACCOUNTS = 3 * KEPT;

test("keeps the largest accounts of a stream, ties by address, and says where it cut", () => {
  // Few balances, so that the cut falls between accounts of one; some have the first bit set.
  const balances = [1n, 2_039_280n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) =>
    accountOf(index, { lamports: balances[index % 100] ?? 2_039_280n }),
  );
  const draft = new TopAccountsDraft();
  for (let from = 0; from < ACCOUNTS; from += 10_000) {
    const batch = accounts.slice(from, from + 10_000);
    draft.add(copyAccounts(batch, batch.length), 0);
  }
  const expected = accounts
    .toSorted((a, b) =>
      a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1,
    )
    .slice(0, KEPT)
    .map(({ lamports, address }) => ({ lamports, address }));
  const { accounts: kept, floor } = draft.finish(0);
  expect(kept).toEqual(expected);
  expect(floor).toEqual(expected.at(-1));
});

test("has no floor where it kept everything", () => {
  const draft = new TopAccountsDraft();
  draft.add(copyAccounts([accountOf(1), accountOf(2, { lamports: 5n })], 2), 0);
  const { accounts, floor } = draft.finish(0);
  expect([accounts.map(({ lamports }) => lamports), floor]).toEqual([[5n, 1n], null]);
});
