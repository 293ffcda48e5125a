import { programAddresses, sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  AddressMap,
  decodeAccountParts,
  decodeAccountRow,
  type DelegatedPage,
  isByNativeMint,
  ListedData,
  mintsNamedBy,
  type ReadOf,
  tokenProgramOf,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { accountRowParts as parts } from "./head-among-accounts.ts";
import { readDelegated } from "./read-delegated-with-head.ts";
import type { FoundWithHead, KnownBefore } from "./read-head.ts";

/**
 * Answers a delegate whose accounts all fit into one statement. Null for a delegate whose accounts are read by pages, and
 * where a program is not known.
 */
export const findDelegatedWithHead = async (
  db: Statements,
  { programs }: KnownBefore,
  asked: ReadOf<"delegated">,
): Promise<FoundWithHead<DelegatedPage> | null> => {
  const program = asked.by.kind === "mint" ? undefined : programs.idOf(asked.by.address);
  if (asked.by.kind === "programId" && program === undefined) return null;
  const rows = await readDelegated(db, asked, program);
  if (rows === undefined) return null;
  const { head, page, mints } = rows;
  // Rows are views of bytes, to be decoded at once, and by the numbers that the statement was sent with.
  const ids = mints.map(programOfRow);
  const ownerId = program ?? ids[0];
  const areKnown = (ownerId === undefined ? ids : [ownerId, ...ids]).every((id) => programs.knows(id));
  if (page === null || !areKnown) return null;
  const owner = ownerId === undefined ? null : programs.addressOf(ownerId);
  const listed = new ListedData();
  const accounts = owner === null ? [] : page.map((row) => listed.take(accountOf(row, owner)));
  const found = pageOf(asked, owner, accounts, mintsIn(mints, programs));
  return { head, answerAt: (known) => (known.programs === programs ? found : null) };
};

const programOfRow = (row: Row): number => row[parts.program] as number;

const mintsIn = (rows: readonly Row[], { addressOf }: ProgramDictionary): AddressMap<Account> => {
  const mints = new AddressMap<Account>();
  const listed = new ListedData();
  for (const row of rows) {
    const address = Uint8Array.from(row[0] as AddressBytes);
    mints.set(address, listed.take(decodeAccountRow(address, row, parts.program, addressOf)));
  }
  return mints;
};

/** @param owner - null where the mint is missing that was asked for */
const pageOf = (
  { by, withMints }: ReadOf<"delegated">,
  owner: AddressBytes | null,
  accounts: readonly Account[],
  found: AddressMap<Account>,
): { readonly value: DelegatedPage } | null => {
  const isNative = isByNativeMint(by);
  // Its account need not exist, and then no program is known.
  if (isNative && (owner === null || !sameBytes(owner, programAddresses.token))) return null;
  const mint = by.kind === "programId" || isNative ? null : (found.get(by.address) ?? null);
  if (tokenProgramOf(by, mint) === null) return { value: { mint, accounts: [], mints: null } };
  if (!withMints) return { value: { mint, accounts, mints: null } };
  const mints = mintsNamedBy(accounts).flatMap((address) => found.get(address) ?? []);
  return { value: { mint, accounts, mints } };
};

const accountOf = (row: Row, owner: AddressBytes): Account =>
  decodeAccountParts(row[0] as AddressBytes, owner, row, parts.parts, row[parts.data] as Uint8Array);
