import { encodeBase58 } from "@lamplight/codecs";
import type { AccountState, AddressBytes, IndexStore } from "@lamplight/core";
import { AccountHasher } from "@lamplight/sources";
import type { LoadReceipt } from "./load-receipt.ts";

const PAGE_ACCOUNTS = 2000;

/**
 * Holds the accounts of a store against the receipt of the ledger snapshot it was loaded from: number, capitalization
 * and lattice hash. Only what has not changed since can be held: a store that went on to a later slot, or that holds
 * a part of the chain, says nothing here.
 *
 * @param text - the receipt as the store keeps it; null = it was made otherwise
 * @returns what does not match
 */
export const verifyReceipt = async (
  store: IndexStore,
  text: string | null,
  say: (line: string) => void,
): Promise<readonly string[]> => {
  if (text === null) return [];
  const receipt = JSON.parse(text) as LoadReceipt;
  const slot = (await store.readWatermark())?.slot ?? null;
  if (slot !== receipt.slot || receipt.coverage.kind !== "whole") {
    say(
      `not compared with the ledger snapshot of slot ${receipt.slot}: the store has moved on or holds a part`,
    );
    return [];
  }
  say(`comparing with the ledger snapshot of slot ${receipt.slot}`);
  return compare(await sumUp(store, receipt), receipt);
};

interface Sums {
  readonly accounts: number;
  readonly lamports: bigint;
  readonly checksum: string | null;
}

const sumUp = async (store: IndexStore, { latticeForm }: LoadReceipt): Promise<Sums> => {
  const hasher = new AccountHasher();
  let accounts = 0;
  let lamports = 0n;
  let after: AddressBytes | null = null;
  for (;;) {
    const page: readonly AccountState[] = await store.readAccountPage(after, PAGE_ACCOUNTS);
    for (const { current } of page) {
      if (current.lamports === 0n) continue;
      accounts += 1;
      lamports += current.lamports;
      if (latticeForm === null) continue;
      hasher.addToLattice({
        ...current,
        lamports: u64Bytes(current.lamports),
        rentEpoch: latticeForm === "with-rent-epoch" ? u64Bytes(current.rentEpoch) : null,
        executable: Number(current.executable),
      });
    }
    after = page.at(-1)?.current.address ?? null;
    if (after === null) break;
  }
  const checksum = latticeForm === null ? null : encodeBase58(hasher.hashBytes(hasher.takeLattice()));
  return { accounts, lamports, checksum };
};

const compare = (sums: Sums, receipt: LoadReceipt): readonly string[] => {
  const pairs: readonly (readonly [string, string, string | null])[] = [
    ["number of accounts", String(sums.accounts), String(receipt.livingAccounts)],
    ["capitalization", String(sums.lamports), receipt.capitalization],
    ["lattice hash", String(sums.checksum), sums.checksum === null ? null : receipt.latticeChecksum],
  ];
  return pairs.flatMap(([what, found, expected]) =>
    expected === null || found === expected
      ? []
      : [`the ${what} is ${found}; the ledger snapshot it was loaded from has ${expected}`],
  );
};

const u64Bytes = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
