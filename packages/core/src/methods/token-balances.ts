// Balances of a wallet, for the fungible tokens on a page of `searchAssets`.

import { decodeAddress, decodeTokenAccount, encodeAddress } from "@lamplight/codecs";
import type { Asset, TokenInfo } from "@lamplight/contract";
import type { AddressBytes } from "../domain/address.ts";
import type { BaseTokenAccount } from "../domain/base-token-account.ts";
import type { Coverage } from "../domain/coverage.ts";
import type { JsonText } from "../json/json-text.ts";
import { type MemberTexts, memberTexts, objectText } from "../json/member-texts.ts";
import { plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import type { Holding } from "../domain/account-facts.ts";
import { assertListable } from "./account-context.ts";
import type { Call } from "./method.ts";
import type { ItemAddition } from "./shown-items.ts";
import { pause, read, rows, type Steps } from "./steps.ts";

/** Token accounts of one mint that are listed with those of the other mints; a wallet rarely has more than one. */
const ACCOUNTS_OF_EACH_MINT = 32;

/** Token accounts that are read as one statement. */
const ACCOUNTS_PER_READ = 1024;

/** The balance of one wallet in one mint. */
interface TokenBalance {
  /** Sum of all its token accounts, in raw units. */
  readonly amount: bigint;
  /** The token account with the largest amount, of equal ones the lowest address; null without any. */
  readonly largest: { readonly address: AddressBytes; readonly amount: bigint } | null;
  /** Number of its token accounts, empty ones too. */
  readonly accounts: number;
}

const noBalance: TokenBalance = { amount: 0n, largest: null, accounts: 0 };

/** Adds the balances of one wallet to items that show `token_info`. */
export class TokenBalances implements ItemAddition {
  readonly #owner: AddressBytes;
  readonly #call: Call;

  constructor(owner: AddressBytes, call: Call) {
    this.#owner = owner;
    this.#call = call;
  }

  /**
   * The same items, with a balance in each fungible one.
   *
   * @throws LamplightError `STORE__NOT_COVERED` where the store does not hold all token accounts of the wallet
   * @throws LamplightError `QUERY__OVER_BUDGET`
   */
  *addTo(items: readonly JsonText<Asset>[]): Steps<readonly JsonText<Asset>[]> {
    const members = items.map((item) => fungibleMembers(item));
    const mints = members.flatMap((item) => (item === null ? [] : this.#coveredMint(item)));
    const balances = yield* this.#read(mints);
    return items.map((item, index) => {
      const document = members[index] ?? null;
      if (document === null) return item;
      const balance = balances.get(idOf(document)) ?? noBalance;
      document.set("token_info", withBalance(document.get("token_info")!, balance));
      return objectText(document);
    });
  }

  #coveredMint(document: Members): AddressBytes {
    const { coverage } = this.#call;
    const id = idOf(document);
    const wallet = encodeAddress(this.#owner);
    const { token_program: program } = JSON.parse(document.get("token_info")!) as TokenInfo;
    if (!isCovered(coverage, { wallet, mint: id, program }))
      assertListable(this.#call, `token accounts of ${wallet} for mint ${id}`);
    return decodeAddress(id);
  }

  /** Balances by base58 mint; none where the wallet has no token account of a mint. */
  *#read(mints: readonly AddressBytes[]): Steps<ReadonlyMap<string, TokenBalance>> {
    const balances = new Map<string, TokenBalance>();
    const first = yield* this.#list(mints, ACCOUNTS_OF_EACH_MINT);
    yield* addAmounts(first, balances);
    for (const [mint, { accounts }] of balances) {
      // A mint with as many accounts as were asked for may have more of them.
      let page =
        accounts < ACCOUNTS_OF_EACH_MINT ? [] : first.filter((one) => encodeAddress(one.mint) === mint);
      while (page.length > 0) {
        const last = page.at(-1)!;
        page = [...(yield* this.#list([last.mint], ACCOUNTS_PER_READ, last.tokenAccount))];
        yield* addAmounts(page, balances);
      }
    }
    return balances;
  }

  #list(mints: readonly AddressBytes[], limit: number, after?: AddressBytes): Steps<readonly Holding[]> {
    const from = after === undefined ? {} : { after };
    return read.holdings({ tokenOwner: this.#owner, mints, limit, ...from });
  }
}

function* addAmounts(holdings: readonly Holding[], balances: Map<string, TokenBalance>): Steps<void> {
  for (let from = 0; from < holdings.length; from += ACCOUNTS_PER_READ) {
    const addresses = holdings.slice(from, from + ACCOUNTS_PER_READ).map(({ tokenAccount }) => tokenAccount);
    let bytes = 0;
    for (const account of yield* read.tokenAccounts(addresses)) {
      yield pause;
      bytes += account.data.length;
      addAmount(account, balances);
    }
    yield rows(bytes);
  }
}

const addAmount = ({ address, data }: BaseTokenAccount, balances: Map<string, TokenBalance>): void => {
  const { mint, amount } = decodeTokenAccount(data)!;
  const key = encodeAddress(mint);
  const known = balances.get(key) ?? noBalance;
  const { largest } = known;
  const isLarger =
    largest === null ||
    amount > largest.amount ||
    (amount === largest.amount && Buffer.compare(address, largest.address) < 0);
  balances.set(key, {
    amount: known.amount + amount,
    largest: isLarger ? { address, amount } : largest,
    accounts: known.accounts + 1,
  });
};

const withBalance = (
  info: JsonText<TokenInfo>,
  { amount, largest, accounts }: TokenBalance,
): JsonText<TokenInfo> => {
  const members = memberTexts(info);
  members.set("balance", writeJson<bigint>(amount));
  if (largest !== null) members.set("token_account", plainText(encodeAddress(largest.address)));
  members.set("token_accounts", writeJson<number>(accounts));
  return objectText(members);
};

type Members = MemberTexts<Asset>;

/** The members of an item that shows a token which many can hold; null for any other. */
const fungibleMembers = (item: JsonText<Asset>): Members | null => {
  const members = memberTexts(item);
  if (members.get("token_info") === undefined) return null;
  return memberTexts(members.get("ownership")!).get("ownership_model") === '"token"' ? members : null;
};

/** The id of a fungible token is its mint. */
const idOf = (document: Members): string => JSON.parse(document.get("id")!) as string;

/** Whether the store holds every token account of a wallet for a mint. */
const isCovered = (
  coverage: Coverage,
  { wallet, mint, program }: { readonly wallet: string; readonly mint: string; readonly program: string },
): boolean =>
  coverage.kind === "whole" ||
  coverage.programs.includes(program) ||
  coverage.owners.includes(wallet) ||
  coverage.mints.includes(mint);
