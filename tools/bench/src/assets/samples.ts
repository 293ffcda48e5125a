import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  decodeMetadata,
  editionAddress,
  encodeAddress,
  metadataAddress,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import { type Account, parseExact, type Transaction } from "@lamplight/core";
import { countsForAccounts, generateChain } from "@lamplight/devchain";
import { parseAccountDump } from "@lamplight/sources/dumps";
import { parseTransactions } from "@lamplight/sources/transactions";

/** Real accounts are few, so each is in so many copies under other addresses: a batch as a live slot has it. */
const COPIES = 40;
const GENERATED_ACCOUNTS = 20_000;
const SEED = 5;
const ADDRESS_BYTES = 32;

/** Kinds of assets that live in accounts, by the programs that own them. */
export const accountKinds = {
  "Token Metadata": [programAddresses.tokenMetadata, programAddresses.token],
  "Token-2022": [programAddresses.token2022],
  Core: [programAddresses.mplCore],
} as const;
export type AccountKind = keyof typeof accountKinds;

export interface Sample<Item> {
  readonly source: "recorded" | "generated";
  readonly items: readonly Item[];
}

/** The folder of recorded cases: as an environment variable says, or next to the checkout. */
const casesFolder = join(process.env["LAMPLIGHT_SHARED"] ?? join(checkout(), "..", "shared"), "das-cases");

/** Accounts of one kind: recorded ones where they are there, else generated; none where neither has any. */
export const sampleAccounts = (kind: AccountKind): Sample<Account> => {
  const isOfKind = ({ programOwner }: Account): boolean =>
    accountKinds[kind].some((program) => sameBytes(program, programOwner));
  const recorded = recordedAccounts().filter(isOfKind);
  if (recorded.length > 0)
    return {
      source: "recorded",
      items: Array.from({ length: COPIES }, (_, copy) => relabel(recorded, copy)).flat(),
    };
  const generated = [
    ...generateChain({
      seed: SEED,
      counts: countsForAccounts(GENERATED_ACCOUNTS),
      derivedAddresses: "hash-once",
    }),
  ].flatMap(({ accounts }) => accounts);
  return { source: "generated", items: generated.filter(isOfKind) };
};

/** Recorded transactions that may call Bubblegum; none where there are no recorded cases. */
export const sampleTransactions = (): Sample<Transaction> => ({
  source: "recorded",
  items: globSync(join(casesFolder, "cnft-*", "*", "transactions", "*.json"))
    .toSorted()
    .flatMap((file) => parseTransactions(JSON.parse(readFileSync(file, "utf8")), null)),
});

/** The newest version of every recorded account. */
const recordedAccounts = (): readonly Account[] => {
  if (!existsSync(casesFolder)) return [];
  const newest = new Map<string, Account>();
  for (const file of globSync(join(casesFolder, "*", "*", "accounts", "*.json")).toSorted()) {
    const account = parseAccountDump(parseExact(readFileSync(file, "utf8")), 1);
    const key = encodeAddress(account.address);
    const known = newest.get(key);
    if (known === undefined || known.slot < account.slot) newest.set(key, account);
  }
  return [...newest.values()];
};

/** The same accounts under other addresses, also where they name each other. */
const relabel = (accounts: readonly Account[], copy: number): readonly Account[] => {
  if (copy === 0) return accounts;
  const derived = derivedLabels(accounts, copy);
  const labels = accounts.map(
    ({ address }) =>
      derived.find(({ from }) => sameBytes(from, address)) ?? {
        from: address,
        to: otherAddress(address, copy),
      },
  );
  return accounts.map((account, index) => {
    const data = Buffer.from(account.data);
    for (const { from, to } of [...derived, ...labels])
      for (let at = data.indexOf(from); at >= 0; at = data.indexOf(from, at + ADDRESS_BYTES))
        data.set(to, at);
    return { ...account, address: labels[index]!.to, data: new Uint8Array(data) };
  });
};

interface Label {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** The mints that recorded Metadata accounts name, and what the program derives from them: a copy keeps to its rules. */
const derivedLabels = (accounts: readonly Account[], copy: number): readonly Label[] =>
  accounts.flatMap(({ data, programOwner }) => {
    const mint = sameBytes(programOwner, programAddresses.tokenMetadata)
      ? (decodeMetadata(data)?.mint ?? null)
      : null;
    if (mint === null) return [];
    const other = otherAddress(mint, copy);
    return [
      { from: mint, to: other },
      { from: metadataAddress(mint), to: metadataAddress(other) },
      { from: editionAddress(mint, null), to: editionAddress(other, null) },
    ];
  });

const otherAddress = (address: Uint8Array, copy: number): Uint8Array => {
  const other = address.slice();
  other[5]! ^= copy;
  return other;
};

function checkout(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "pnpm-workspace.yaml")) && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}
