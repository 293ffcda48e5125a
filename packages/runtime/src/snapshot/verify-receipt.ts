import {
  DERIVATION_KEY,
  AccountBatch,
  type AccountState,
  type AddressBytes,
  coverageRequestKey,
  genesisKey,
  type IndexStore,
  type StoreHead,
} from "@lamplight/core";
import { createLattice } from "./account-lattice.ts";
import { type LoadReceipt, receiptKey } from "./load-receipt.ts";
import { readReceiptText } from "./receipt-text.ts";
import { emptyVersionSum, joinVersionSum, versionSumOf, versionSumText } from "./version-sum.ts";

const PAGE_ACCOUNTS = 2000;

/**
 * Compares the accounts of a store with the receipt of the snapshot that it was loaded from: their number and the sum
 * of their versions. It also compares capitalization and lattice hash of a whole chain. A store that has moved to a
 * later slot is not compared.
 *
 * @returns one sentence for each difference
 */
export const verifyReceipt = async (
  store: Pick<IndexStore, "readAccountPage">,
  head: StoreHead,
  say: (line: string) => void,
): Promise<readonly string[]> => {
  const known = [receiptKey, documentsKey, genesisKey, coverageRequestKey, DERIVATION_KEY];
  const unknown = Object.keys(head.notes).filter((key) => !known.includes(key));
  const problems = unknown.map((key) => `unknown entry ${JSON.stringify(key)}`);
  const text = head.notes[receiptKey];
  if (text === undefined) return problems;
  const receipt = readReceiptText(text);
  if (receipt === null) return [...problems, "the receipt of the ledger snapshot was changed after the load"];
  problems.push(...compareHeads(head, receipt));
  if (!isUnchanged(head, receipt)) {
    say(`not compared with the ledger snapshot of slot ${receipt.slot}: the store has newer slots`);
    return problems;
  }
  say(`comparing with the ledger snapshot of slot ${receipt.slot}`);
  return [...problems, ...compare(await sumUp(store, receipt), receipt)];
};

/** Key of another entry in a store: how far off-chain documents were requested. */
const documentsKey = "offchain_noted_seq";

/** A store at the same slot has the same block. */
const compareHeads = ({ watermark, coverage }: StoreHead, receipt: LoadReceipt): readonly string[] => {
  const slot = watermark?.slot ?? 0;
  const isSameBlock = receipt.blockhash !== null && watermark?.blockhash === receipt.blockhash;
  const problems: string[] = [];
  if (slot < receipt.slot || (slot > receipt.slot && isSameBlock))
    problems.push(`the store is at slot ${slot}; it was loaded at slot ${receipt.slot}`);
  if (slot === receipt.slot && receipt.blockhash !== null && !isSameBlock)
    problems.push(
      `the store is at block ${watermark?.blockhash ?? "-"}; it was loaded at ${receipt.blockhash}`,
    );
  if (slot === receipt.slot && receipt.coverage.kind === "whole" && coverage.kind !== "whole")
    problems.push("the store's coverage is partial, but it was loaded from a complete snapshot");
  return problems;
};

/** A later load at the same slot changes the coverage or the assets. */
const isUnchanged = ({ watermark, coverage, changeSeq }: StoreHead, receipt: LoadReceipt): boolean =>
  watermark?.slot === receipt.slot &&
  (receipt.coverage.kind === "whole" ||
    (JSON.stringify(coverage) === JSON.stringify(receipt.coverage) && changeSeq === receipt.assets));

interface Sums {
  readonly accounts: number;
  readonly lamports: bigint;
  readonly versionSum: string;
  readonly checksum: string | null;
}

const sumUp = async (
  store: Pick<IndexStore, "readAccountPage">,
  { latticeForm }: LoadReceipt,
): Promise<Sums> => {
  const lattice = createLattice(latticeForm);
  const versions = emptyVersionSum();
  let accounts = 0;
  let lamports = 0n;
  let after: AddressBytes | null = null;
  for (;;) {
    const page: readonly AccountState[] = await store.readAccountPage(after, PAGE_ACCOUNTS);
    const living = page.map(({ current }) => current).filter((account) => account.lamports !== 0n);
    joinVersionSum(versions, versionSumOf(AccountBatch.of(living)));
    accounts += living.length;
    for (const account of living) {
      lamports += account.lamports;
      lattice.add(account);
    }
    after = page.at(-1)?.current.address ?? null;
    if (after === null) break;
  }
  return { accounts, lamports, versionSum: versionSumText(versions), checksum: lattice.checksum() };
};

const compare = (sums: Sums, receipt: LoadReceipt): readonly string[] => {
  const isWhole = receipt.coverage.kind === "whole";
  const pairs: readonly (readonly [string, string, string | null])[] = [
    ["number of accounts", String(sums.accounts), String(receipt.accountsStored)],
    ["capitalization", String(sums.lamports), isWhole ? receipt.capitalization : null],
    [
      "lattice hash",
      String(sums.checksum),
      isWhole && sums.checksum !== null ? receipt.latticeChecksum : null,
    ],
    ["sum of versions", sums.versionSum, receipt.versionSum],
  ];
  return pairs.flatMap(([what, found, expected]) =>
    expected === null || found === expected
      ? []
      : [`the ${what} is ${found}; the ledger snapshot it was loaded from has ${expected}`],
  );
};
