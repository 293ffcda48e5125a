import {
  type Account,
  type AccountWrite,
  type AddressBytes,
  AddressMap,
  baseTokenAccount,
  type BaseTokenAccount,
  AddressSet,
  type DelegateQuery,
  type Holding,
  type HoldingQuery,
  isNonCirculatingAt,
  isNonCirculatingAccount,
  type LargestAccount,
  type LargestQuery,
  reads,
  type ReadView,
  type WalletQuery,
} from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";
import { addressKey } from "../engine/address-map.ts";
import { newestWrite, type Path } from "../engine/delta.ts";
import { readThrough } from "../engine/layer.ts";

/** Accounts as of the newest slot of a path. */
export class OverlayAccounts {
  readonly #path: Path;
  readonly #finalized: Pick<ReadView, "read">;

  constructor(path: Path, finalized: Pick<ReadView, "read">) {
    this.#path = path;
    this.#finalized = finalized;
  }

  async findAccount(address: AddressBytes): Promise<Account | null> {
    const write = this.#findWrite(address);
    if (write === undefined) return this.#finalized.read(reads.account(address));
    return livingOf(write);
  }

  findAccounts(addresses: readonly AddressBytes[]): Promise<readonly (Account | null)[]> {
    const find = (address: AddressBytes): Account | null | undefined => {
      const write = this.#findWrite(address);
      return write === undefined ? undefined : livingOf(write);
    };
    return readThrough(addresses, find, (rest) => this.#finalized.read(reads.accounts(rest)));
  }

  findTokenAccounts(addresses: readonly AddressBytes[]): Promise<readonly BaseTokenAccount[]> {
    const find = (address: AddressBytes): BaseTokenAccount | undefined => {
      const write = this.#findWrite(address);
      return write === undefined ? undefined : baseTokenAccount(write.state.current);
    };
    return readThrough(addresses, find, (rest) => this.#finalized.read(reads.tokenAccounts(rest)));
  }

  async isClosed(address: AddressBytes): Promise<boolean> {
    const write = this.#findWrite(address);
    return write === undefined
      ? this.#finalized.read(reads.isClosed(address))
      : write.state.current.lamports === 0n;
  }

  /** Whether the path changes what a delegate was approved for, apart from accounts that the store lists. */
  hasDelegatedTo(delegate: AddressBytes): boolean {
    return this.#path.some((changes) => changes.delegatedTo(delegate).length > 0);
  }

  async listAccountsByDelegate(query: DelegateQuery): Promise<readonly Account[]> {
    const { limit } = query;
    const changed = this.#delegatedAbove(query);
    const found: Account[] = [];
    let { after } = query;
    for (;;) {
      const page = { ...query, ...(after === undefined ? {} : { after }) };
      const stored = await this.#finalized.read(reads.moreDelegated(page));
      const isLast = limit === undefined || stored.length < limit;
      after = isLast ? undefined : stored.at(-1)!.address;
      for (const account of stored) if (this.#findWrite(account.address) === undefined) found.push(account);
      // Changes within the page. The last page also gets all remaining ones.
      const within =
        after === undefined
          ? changed.length
          : changed.findIndex(({ address }) => Buffer.compare(address, after!) > 0);
      const added = changed.splice(0, within < 0 ? changed.length : within);
      if (added.length > 0) {
        for (const account of added) found.push(account);
        found.sort((a, b) => Buffer.compare(a.address, b.address));
      }
      if (isLast || found.length >= limit) return limit === undefined ? found : found.slice(0, limit);
    }
  }

  /** Whether a holding of the wallet began, changed or ended on the path. */
  hasHoldingOf(tokenOwner: AddressBytes): boolean {
    return touchedHolders(tokenOwner, this.#path).size > 0;
  }

  async listHoldings(query: HoldingQuery): Promise<readonly Holding[]> {
    const { tokenOwner, mints, after, limit } = query;
    const touched = touchedHolders(tokenOwner, this.#path);
    // Each changed row can fall out of the page, so the read asks for one more row for each.
    const more = limit === undefined ? {} : { limit: limit + touched.size };
    const stored = await this.#finalized.read(reads.holdings({ ...query, ...more }));
    if (touched.size === 0) return stored;
    const held = Map.groupBy(holdingsAfter(stored, tokenOwner, touched, this.#path), ({ mint }) =>
      addressKey(mint),
    );
    return mints.flatMap((mint) =>
      (held.get(addressKey(mint)) ?? [])
        .filter(({ tokenAccount }) => after === undefined || Buffer.compare(tokenAccount, after) > 0)
        .toSorted((a, b) => Buffer.compare(a.tokenAccount, b.tokenAccount))
        .slice(0, limit),
    );
  }

  async listWallet(query: WalletQuery): Promise<readonly Holding[]> {
    const { tokenOwner, after, limit } = query;
    const touched = touchedHolders(tokenOwner, this.#path);
    // Each changed row can fall out of the page, so the read asks for one more row for each.
    const stored = await this.#finalized.read(
      reads.walletHoldings({ ...query, limit: limit + touched.size }),
    );
    if (touched.size === 0) return stored;
    return holdingsAfter(stored, tokenOwner, touched, this.#path)
      .filter((holding) => after === undefined || byWalletOrder(holding, after) > 0)
      .toSorted(byWalletOrder)
      .slice(0, limit);
  }

  async listLargestAccounts(query: LargestQuery): Promise<readonly LargestAccount[]> {
    if (query.limit <= 0) return [];
    const changed = this.#living(query);
    const kept = await this.#largestKept(query);
    return [...kept, ...changed].toSorted(byLamportsFalling).slice(0, query.limit);
  }

  /** Accounts that the path writes and the query matches, ascending by address. */
  #delegatedAbove(query: DelegateQuery): Account[] {
    const { after } = query;
    const touched = new AddressMap<AccountWrite>();
    for (const changes of this.#path) {
      for (const { state } of changes.delegatedTo(query.delegate)) {
        const { address } = state.current;
        if (!touched.has(address)) touched.set(address, this.#findWrite(address)!);
      }
    }
    return touched
      .values()
      .filter((write) => isDelegatedTo(write, query))
      .map(({ state }) => state.current)
      .filter(({ address }) => after === undefined || Buffer.compare(address, after) > 0)
      .toSorted((a, b) => Buffer.compare(a.address, b.address));
  }

  /** Whether the path writes the account. */
  isWritten(address: AddressBytes): boolean {
    return this.#findWrite(address) !== undefined;
  }

  #findWrite(address: AddressBytes): AccountWrite | undefined {
    return newestWrite(this.#path, address);
  }

  /**
   * Rows of the finalized store that the path does not change. Reads more until there are enough, or all are read.
   */
  async #largestKept(query: LargestQuery): Promise<readonly LargestAccount[]> {
    for (let limit = query.limit * 2; ; limit *= 4) {
      const stored = await this.#finalized.read(reads.largest({ ...query, limit }));
      const kept = stored.filter(({ address }) => this.#findWrite(address) === undefined);
      if (kept.length >= query.limit || stored.length < limit) return kept;
    }
  }

  /** Accounts written on the path, in their state at its end, that pass the filter. */
  #living(query: LargestQuery): LargestAccount[] {
    const seen = new AddressSet();
    const living: LargestAccount[] = [];
    for (const changes of this.#path) {
      for (const write of changes.accounts) {
        const { address, lamports } = write.state.current;
        if (seen.has(address)) continue;
        seen.add(address);
        if (lamports > 0n && isCounted(write, query)) living.push({ address, lamports });
      }
    }
    return living;
  }
}

type Place = Pick<Holding, "mint" | "tokenAccount">;

/** The order of a wallet's token accounts. */
export const byWalletOrder = (one: Place, other: Place): number =>
  Buffer.compare(one.mint, other.mint) || Buffer.compare(one.tokenAccount, other.tokenAccount);

/** Token accounts of a wallet whose holding began, changed or ended on the path. */
export const touchedHolders = (tokenOwner: AddressBytes, path: Path): AddressSet => {
  const touched = new AddressSet();
  const key = addressKey(tokenOwner);
  for (const { holdings } of path)
    for (const { tokenAccount } of holdings.get(key)?.values() ?? []) touched.add(tokenAccount);
  return touched;
};

/** Holdings of a wallet at the end of the path: `stored` ones that the path does not change, and all that it does. */
export const holdingsAfter = (
  stored: readonly Holding[],
  owner: AddressBytes,
  touched: AddressSet,
  path: Path,
): readonly Holding[] => [
  ...stored.filter(({ tokenAccount }) => !touched.has(tokenAccount)),
  ...touched
    .addresses()
    .flatMap((address) => newestWrite(path, address)?.facts.holding ?? [])
    .filter(({ tokenOwner }) => sameBytes(tokenOwner, owner)),
];

const livingOf = ({ state: { current } }: AccountWrite): Account | null =>
  current.lamports === 0n ? null : current;

const isDelegatedTo = ({ state, facts }: AccountWrite, query: DelegateQuery): boolean =>
  facts.delegate !== null &&
  sameBytes(facts.delegate, query.delegate) &&
  sameBytes(state.current.programOwner, query.tokenProgram) &&
  (query.mint === null || (facts.delegateMint !== null && sameBytes(facts.delegateMint, query.mint)));

const isCounted = ({ state, facts }: AccountWrite, query: LargestQuery): boolean => {
  if (query.filter === "all") return true;
  const isHeld =
    isNonCirculatingAccount(state.current.address) ||
    (facts.nonCirculatingStake !== null && isNonCirculatingAt(facts.nonCirculatingStake, query.clock));
  return isHeld === (query.filter === "nonCirculating");
};

const byLamportsFalling = (a: LargestAccount, b: LargestAccount): number =>
  a.lamports === b.lamports ? Buffer.compare(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
