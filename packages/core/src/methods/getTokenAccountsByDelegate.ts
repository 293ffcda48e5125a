import { encodeAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { GetTokenAccountsByDelegateParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { type MintView, mintViewOf, nativeMintView } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { mintNeededBy, parseAccount } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { ReadView } from "../ports/read-view.ts";
import { assertAbsenceIsKnown, assertMinContextSlot, shapeContext } from "./account-context.ts";
import { encodeAccountData, shapeAccount } from "./account-data.ts";
import type { Method } from "./method.ts";
import { defaultEncoding } from "./profile.ts";
import { readClock } from "./read-clock.ts";

interface DelegateFilter {
  readonly kind: "mint" | "programId";
  readonly text: string;
  readonly address: AddressBytes;
}

/** Every token account for which the delegate is approved, by mint or by token program. */
export const getTokenAccountsByDelegate: Method<GetTokenAccountsByDelegateParams> = async (
  params,
  context,
) => {
  const config = params.config ?? {};
  const delegate = parseAccountAddress("address", params.address);
  const filter = parseFilter(params.accountDetails);
  const view = await context.views.view(config.commitment ?? "finalized");
  assertMinContextSlot(view, config.minContextSlot);
  const tokenProgram = await findTokenProgram(view, filter);
  assertHoldersCovered(view, filter, tokenProgram);
  const accounts = await view.accounts.listAccountsByDelegate({
    delegate,
    tokenProgram,
    mint: filter.kind === "mint" ? filter.address : null,
  });
  const encoding = config.encoding ?? defaultEncoding(context.profile);
  const entries =
    encoding === "jsonParsed"
      ? await shapeParsedEntries(accounts, view)
      : await Promise.all(
          accounts.map(async (account) =>
            shapeEntry(account, await encodeAccountData(account.data, encoding, config.dataSlice ?? null)),
          ),
        );
  return `{"context":${shapeContext(context.settings, view.slot)},"value":[${entries.join(",")}]}`;
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
    assertAbsenceIsKnown(view.coverage, `mint ${filter.text}`);
    throw new LamplightError("TOKEN__FILTER_MINT_NOT_FOUND", {});
  }
  if (mintViewOf(mint.data) === null) throw new LamplightError("TOKEN__FILTER_MINT_BROKEN", {});
  if (!isTokenProgram(mint.programOwner)) throw new LamplightError("TOKEN__NOT_A_MINT", {});
  return mint.programOwner;
};

/** A filtered store knows every holder only of the programs and mints it was loaded for. */
const assertHoldersCovered = (view: ReadView, filter: DelegateFilter, tokenProgram: AddressBytes): void => {
  const { coverage } = view;
  if (coverage.kind === "whole" || coverage.programs.includes(encodeAddress(tokenProgram))) return;
  if (filter.kind === "mint" && coverage.mints.includes(filter.text)) return;
  assertAbsenceIsKnown(coverage, `token accounts of ${filter.kind} ${filter.text}`);
};

/** Entries Agave can parse; the others are left out, as there. Each mint is read once. */
const shapeParsedEntries = async (accounts: readonly Account[], view: ReadView): Promise<string[]> => {
  const { unixTimestamp } = await readClock(view);
  const mints = new Map<string, MintView | null>();
  const entries: string[] = [];
  for (const account of accounts) {
    const mintAddress = mintNeededBy(account);
    if (mintAddress === null) continue;
    const mint = await readMintOnce(view, mints, mintAddress);
    const parsed = parseAccount(account, { mint, unixTimestamp });
    if (parsed !== null) entries.push(shapeEntry(account, writeJson(parsed)));
  }
  return entries;
};

const readMintOnce = async (
  view: ReadView,
  known: Map<string, MintView | null>,
  mintAddress: AddressBytes,
): Promise<MintView | null> => {
  if (sameBytes(mintAddress, programAddresses.nativeMint)) return nativeMintView;
  const key = encodeAddress(mintAddress);
  const found = known.get(key);
  if (found !== undefined) return found;
  const account = await view.accounts.findAccount(mintAddress);
  const mint = account === null ? null : mintViewOf(account.data);
  known.set(key, mint);
  return mint;
};

const shapeEntry = (account: Account, dataText: string): string =>
  `{"account":${shapeAccount(account, encodeAddress(account.programOwner), dataText)},"pubkey":"${encodeAddress(account.address)}"}`;
