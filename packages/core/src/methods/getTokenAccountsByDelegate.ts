import { encodeAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type {
  GetTokenAccountsByDelegateParams,
  GetTokenAccountsByDelegateResult,
  AccountData,
  ParsedAccountData,
  TokenAccountEntry,
} from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { mintViewOf } from "../amount/mint-view.ts";
import { type CallBudget, withBudget } from "../budget/call-budget.ts";
import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { objectWriter, plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { mintNeededBy, parseAccount } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { DelegateQuery } from "../ports/account-reader.ts";
import type { ReadView } from "../ports/read-view.ts";
import { assertListable, assertMinContextSlot, shapeContext } from "./account-context.ts";
import {
  type BinaryEncoding,
  type DataSlice,
  encodeAccountData,
  encodeOwnData,
  programText,
  shapeAccount,
} from "./account-data.ts";
import { readOnce, type RequestViews } from "./call-context.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Method } from "./method.ts";
import { defaultEncoding } from "./profile.ts";
import { KnownMints } from "./known-mints.ts";

interface DelegateFilter {
  readonly kind: "mint" | "programId";
  readonly text: string;
  readonly address: AddressBytes;
}

/** Accounts read as one page: few at first, since nearly every delegate has few. */
const FIRST_PAGE = 1024;
/** Later pages; some ten milliseconds in a store of this process. */
const NEXT_PAGE = 8192;
/** Accounts shaped between two checks of the turn's time. */
const ACCOUNTS_PER_SLICE = 256;

/** Every token account for which the delegate is approved, by mint or by token program. */
export const getTokenAccountsByDelegate: Method<
  GetTokenAccountsByDelegateParams,
  GetTokenAccountsByDelegateResult
> = (params, context) => {
  const config = params.config ?? {};
  const delegate = parseAccountAddress("address", params.address);
  const filter = parseFilter(params.accountDetails);
  const encoding = config.encoding ?? defaultEncoding(context.profile);
  const only = {
    kind: "delegated",
    delegate,
    by: filter,
    limit: FIRST_PAGE,
    withMints: encoding === "jsonParsed",
  } as const;
  return readOnce(context, config.commitment ?? "finalized", only, async (view) => {
    assertMinContextSlot(view, config.minContextSlot);
    const tokenProgram = await findTokenProgram(view, filter);
    assertHoldersCovered(context.views, view, filter, tokenProgram);
    const shapeEntries =
      encoding === "jsonParsed"
        ? createParsedEntries(view)
        : (accounts: readonly Account[]) => shapeEncodedEntries(accounts, encoding, config.dataSlice ?? null);
    const mint = filter.kind === "mint" ? filter.address : null;
    const value = await withBudget(context, (budget) =>
      joinEntries(view, { delegate, tokenProgram, mint }, shapeEntries, budget),
    );
    return writeResult(shapeContext(context.settings, view.slot), value);
  });
};

const writeResult = objectWriter<GetTokenAccountsByDelegateResult>()("context", "value");

type Entry = JsonText<TokenAccountEntry>;
type ShapeEntries = (accounts: readonly Account[]) => MaybePromise<readonly Entry[]>;

/** The entries page by page: of the accounts, only one page is in memory. */
const joinEntries = async (
  view: ReadView,
  query: DelegateQuery,
  shapeEntries: ShapeEntries,
  budget: CallBudget,
): Promise<JsonText<TokenAccountEntry[]>> => {
  let value = "";
  let place: { readonly after?: AddressBytes } = {};
  for (let limit = FIRST_PAGE; ; limit = NEXT_PAGE) {
    const page = await view.accounts.listAccountsByDelegate({ ...query, ...place, limit });
    for (let from = 0; from < page.length; from += ACCOUNTS_PER_SLICE) {
      const text = (await shapeEntries(page.slice(from, from + ACCOUNTS_PER_SLICE))).join(",");
      budget.answer(Buffer.byteLength(text), cheaperQuery);
      if (text !== "") value += value === "" ? text : `,${text}`;
      const pausing = budget.pause();
      if (pausing !== undefined) await pausing;
    }
    if (page.length < limit) return storedJson(`[${value}]`);
    place = { after: page.at(-1)!.address };
  }
};

const cheaperQuery = (): string => "accountDetails with a mint, or a dataSlice";

const shapeEncodedEntries = (
  accounts: readonly Account[],
  encoding: BinaryEncoding,
  slice: DataSlice | null,
): MaybePromise<readonly Entry[]> => {
  if (encoding !== "base64+zstd")
    return accounts.map((account) => shapeEntry(account, encodeOwnData(account.data, encoding, slice)));
  // Large ones are compressed by other threads, all at a time.
  return Promise.all(
    accounts.map(async (account) =>
      shapeEntry(account, await encodeAccountData(account.data, encoding, slice)),
    ),
  );
};

const parseFilter = (details: GetTokenAccountsByDelegateParams["accountDetails"]): DelegateFilter => {
  const kind = "mint" in details && details.mint !== undefined ? "mint" : "programId";
  const text = (details as { mint?: string; programId?: string })[kind] ?? "";
  return { kind, text, address: parseAccountAddress(`accountDetails.${kind}`, text) };
};

/** The program whose accounts are meant: the mint's owner, or the one named. */
const findTokenProgram = async (view: ReadView, filter: DelegateFilter): Promise<AddressBytes> => {
  if (filter.kind === "programId") {
    if (!isTokenProgram(filter.address)) throw new LamplightError("TOKEN__UNKNOWN_PROGRAM", {});
    return filter.address;
  }
  // The native mint needs no account: it always belongs to the first token program.
  if (sameBytes(filter.address, programAddresses.nativeMint)) return programAddresses.token;
  const mint = await view.accounts.findAccount(filter.address);
  if (mint === null) {
    await assertAbsenceIsKnown(view, filter.address, `mint ${filter.text}`);
    throw new LamplightError("TOKEN__FILTER_MINT_NOT_FOUND", {});
  }
  if (mintViewOf(mint.data) === null) throw new LamplightError("TOKEN__FILTER_MINT_BROKEN", {});
  if (!isTokenProgram(mint.programOwner)) throw new LamplightError("TOKEN__NOT_A_MINT", {});
  return mint.programOwner;
};

/** A filtered store knows every holder only of the programs and mints it was loaded for. */
const assertHoldersCovered = (
  views: RequestViews,
  view: ReadView,
  filter: DelegateFilter,
  tokenProgram: AddressBytes,
): void => {
  const { coverage } = view;
  if (coverage.kind === "whole" || coverage.programs.includes(encodeAddress(tokenProgram))) return;
  if (filter.kind === "mint" && coverage.mints.includes(filter.text)) return;
  assertListable(views, coverage, `token accounts of ${filter.kind} ${filter.text}`);
};

/** Entries Agave can parse; the others are left out, as there. */
const createParsedEntries = (view: ReadView): ShapeEntries => {
  const mints = new KnownMints(view);
  return async (accounts) => {
    const needed = accounts.map(mintNeededBy);
    await mints.learn(needed);
    const entries: Entry[] = [];
    for (const [index, account] of accounts.entries()) {
      const mintAddress = needed[index]!;
      if (mintAddress === null) continue;
      const parsed = parseAccount(account, mints.amountContextOf(mintAddress));
      if (parsed !== null) entries.push(shapeEntry(account, writeJson<ParsedAccountData>(parsed)));
    }
    return entries;
  };
};

const writeEntry = objectWriter<TokenAccountEntry>()("account", "pubkey");

const shapeEntry = (account: Account, data: JsonText<AccountData>): Entry =>
  writeEntry(
    shapeAccount(account, programText(account.programOwner), data),
    plainText(encodeAddress(account.address)),
  );
