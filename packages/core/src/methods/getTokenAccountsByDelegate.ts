import { encodeAddress } from "@lamplight/codecs";
import type {
  GetTokenAccountsByDelegateParams,
  GetTokenAccountsByDelegateResult,
  AccountData,
  ParsedAccountData,
  TokenAccountEntry,
} from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { mintViewOf } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { objectWriter, plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/parse-params.ts";
import { mintNeededBy, parseAccount } from "../parsed/parse-account.ts";
import { tokenProgramOf } from "../parsed/token-program-of.ts";
import type { DelegateQuery } from "../ports/queries.ts";
import { assertListable, shapeContext } from "./account-context.ts";
import {
  type BinaryEncoding,
  type DataSlice,
  encodeCompressed,
  encodeOwnData,
  programText,
  shapeAccount,
} from "./account-data.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Call, Method } from "./method.ts";
import { defaultEncoding } from "../profile/profile.ts";
import { KnownMints } from "./known-mints.ts";
import { read, rows, slice, type Steps } from "./steps.ts";

interface DelegateFilter {
  readonly kind: "mint" | "programId";
  readonly text: string;
  readonly address: AddressBytes;
}

/** Accounts read as one page: few at first, since nearly every delegate has few. */
const FIRST_PAGE = 1024;
/** Later pages; some ten milliseconds in a store of this process. */
const NEXT_PAGE = 8192;
const fewerAccounts = "accountDetails with a mint, or getAccountInfo for each account";
/** Accounts that are shaped before other calls may run. */
const ACCOUNTS_PER_SLICE = 256;

const writeResult = objectWriter<GetTokenAccountsByDelegateResult>()("context", "value");

type Entry = JsonText<TokenAccountEntry>;
type ShapeEntries = (accounts: readonly Account[]) => Steps<readonly Entry[]>;

/** Every token account for which the delegate is approved, by mint or by token program. */
export const getTokenAccountsByDelegate: Method<
  GetTokenAccountsByDelegateParams,
  GetTokenAccountsByDelegateResult
> = {
  readsAt: "asked",
  isList: true,
  cheaper: () => "accountDetails with a mint, or a dataSlice",
  *steps({ address, accountDetails, config = {} }, call) {
    const delegate = parseAccountAddress("address", address);
    const filter = parseFilter(accountDetails);
    const encoding = config.encoding ?? defaultEncoding(call.profile);
    const withMints = encoding === "jsonParsed";
    const first = yield* read.delegated({ delegate, by: filter, limit: FIRST_PAGE, withMints });
    const tokenProgram = yield* findTokenProgram(call, filter, first.mint);
    assertHoldersCovered(call, filter, tokenProgram);
    const mints = new KnownMints();
    if (first.mints !== null) yield* mints.take(first.accounts, first.mints);
    const shapeEntries: ShapeEntries =
      encoding === "jsonParsed"
        ? (accounts) => shapeParsedEntries(accounts, mints)
        : (accounts) => shapeEncodedEntries(accounts, encoding, config.dataSlice ?? null);
    const mint = filter.kind === "mint" ? filter.address : null;
    const value = yield* joinEntries(first.accounts, { delegate, tokenProgram, mint }, shapeEntries);
    return writeResult(shapeContext(call), value);
  },
};

/** The entries page by page. At most three pages are in memory: the first, the last one read, and the next one. */
function* joinEntries(
  first: readonly Account[],
  query: DelegateQuery,
  shapeEntries: ShapeEntries,
): Steps<JsonText<TokenAccountEntry[]>> {
  let value = "";
  let page = first;
  for (let limit = FIRST_PAGE; ; limit = NEXT_PAGE) {
    for (let from = 0; from < page.length; from += ACCOUNTS_PER_SLICE) {
      const text = (yield* shapeEntries(page.slice(from, from + ACCOUNTS_PER_SLICE))).join(",");
      yield slice([Buffer.byteLength(text)]);
      if (text !== "") value += value === "" ? text : `,${text}`;
    }
    if (page.length < limit) return storedJson(`[${value}]`);
    // A dataSlice makes the answer smaller, but not what is read.
    yield rows(
      page.reduce((bytes, { data }) => bytes + data.length, 0),
      fewerAccounts,
    );
    page = yield* read.moreDelegated({ ...query, after: page.at(-1)!.address, limit: NEXT_PAGE });
  }
}

function* shapeEncodedEntries(
  accounts: readonly Account[],
  encoding: BinaryEncoding,
  dataSlice: DataSlice | null,
): Steps<readonly Entry[]> {
  if (encoding !== "base64+zstd")
    return accounts.map((account) => shapeEntry(account, encodeOwnData(account.data, encoding, dataSlice)));
  const compressed = yield* encodeCompressed(
    accounts.map(({ data }) => data),
    dataSlice,
  );
  return accounts.map((account, index) => shapeEntry(account, compressed[index]!));
}

/** Entries Agave can parse; the others are left out, as there. */
function* shapeParsedEntries(accounts: readonly Account[], mints: KnownMints): Steps<readonly Entry[]> {
  yield* mints.learn(accounts);
  const entries: Entry[] = [];
  for (const account of accounts) {
    const mintAddress = mintNeededBy(account);
    if (mintAddress === null) continue;
    const parsed = parseAccount(account, mints.amountContextOf(mintAddress));
    if (parsed !== null) entries.push(shapeEntry(account, writeJson<ParsedAccountData>(parsed)));
  }
  return entries;
}

const parseFilter = (details: GetTokenAccountsByDelegateParams["accountDetails"]): DelegateFilter => {
  const kind = "mint" in details && details.mint !== undefined ? "mint" : "programId";
  const text = (details as { mint?: string; programId?: string })[kind] ?? "";
  return { kind, text, address: parseAccountAddress(`accountDetails.${kind}`, text) };
};

/** The program whose accounts are meant: the mint's owner, or the one named. */
function* findTokenProgram(call: Call, filter: DelegateFilter, mint: Account | null): Steps<AddressBytes> {
  const tokenProgram = tokenProgramOf(filter, mint);
  if (tokenProgram !== null) return tokenProgram;
  if (filter.kind === "programId") throw new LamplightError("TOKEN__UNKNOWN_PROGRAM", {});
  if (mint === null) {
    yield* assertAbsenceIsKnown(call, filter.address, `mint ${filter.text}`);
    throw new LamplightError("TOKEN__FILTER_MINT_NOT_FOUND", {});
  }
  if (mintViewOf(mint.data) === null) throw new LamplightError("TOKEN__FILTER_MINT_BROKEN", {});
  throw new LamplightError("TOKEN__NOT_A_MINT", {});
}

/** A filtered store knows every holder only of the programs and mints it was loaded for. */
const assertHoldersCovered = (call: Call, filter: DelegateFilter, tokenProgram: AddressBytes): void => {
  const { coverage } = call;
  if (coverage.kind === "whole" || coverage.programs.includes(encodeAddress(tokenProgram))) return;
  if (filter.kind === "mint" && coverage.mints.includes(filter.text)) return;
  assertListable(call, `token accounts of ${filter.kind} ${filter.text}`);
};

const writeEntry = objectWriter<TokenAccountEntry>()("account", "pubkey");

const shapeEntry = (account: Account, data: JsonText<AccountData>): Entry =>
  writeEntry(
    shapeAccount(account, programText(account.programOwner), data),
    plainText(encodeAddress(account.address)),
  );
