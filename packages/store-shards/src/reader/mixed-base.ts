import {
  type Account,
  type AddressBytes,
  type ReadHandlers,
  type AnswerTo,
  type BaseTokenAccount,
  type DelegateQuery,
  type Edition,
  type Holding,
  type HoldingQuery,
  type LargestAccount,
  type LargestQuery,
  ListedData,
  type Ordinal,
  type ReadKind,
  type ReadOf,
  reads,
  type ReadView,
  type StoredAsset,
  type WalletQuery,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { addressKey, byWalletOrder } from "@lamplight/indexer";
import {
  assertShard,
  type ExpectedRows,
  countEditionsWithout,
  findEditionWithout,
  listAssetsByOrdinal,
  listEditionsWithout,
  type TransactionView,
} from "@lamplight/store-postgres";
import { shardOf } from "../shard-of.ts";
import { inOrder } from "../writer/routed-reader.ts";
import type { ShardStates } from "./shard-states.ts";
import type { ShardViews } from "./shard-views.ts";
import type { Touched } from "./touched.ts";

/** What the snapshot of every shard has to be of. */
export interface ExpectedShards extends ExpectedRows {
  readonly storeId: string;
}

/**
 * The rows of all shards, each of any state from that of the settled delta on. Rows of keys that the path touches mean
 * nothing: their readers leave them out. It can be read only within `reading`, which ends with the last look.
 */
export class MixedBase implements Pick<ReadView, "read"> {
  readonly #shards: ShardViews;
  readonly #touched: Touched;
  readonly #expected: ExpectedShards;
  readonly #states: ShardStates;
  readonly #checks = new WeakMap<TransactionView, Promise<void>>();
  #readings = 0;

  constructor(shards: ShardViews, touched: Touched, expected: ExpectedShards, states: ShardStates) {
    this.#shards = shards;
    this.#touched = touched;
    this.#expected = expected;
    this.#states = states;
  }

  get count(): number {
    return this.#shards.count;
  }

  /** Allows reads until `body` is done. The caller then looks whether rows of a newer state had started. */
  async reading<Result>(body: () => Promise<Result>): Promise<Result> {
    this.#readings += 1;
    try {
      return await body();
    } finally {
      this.#readings -= 1;
    }
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const answer = baseHandlers[asked.kind];
    if (answer === undefined) throw brokenInvariant(`${asked.kind} was read from the rows of several shards`);
    return answer(this, asked);
  }

  /** The one way to rows of a shard. */
  async on<Result>(place: number, body: (view: TransactionView) => Promise<Result>): Promise<Result> {
    if (this.#readings === 0) throw brokenInvariant("a shard was read past the last look");
    const read = (): Promise<Result> =>
      this.#shards.lend(place, async (view) => {
        // Both are sent without waiting in between.
        const [answer] = await Promise.all([body(view), this.#check(place, view)]);
        return answer;
      });
    return this.#states.noting(place, read);
  }

  /**
   * Once for each snapshot: the proof needs the rows of this shard, from the settled delta on. Rows above the view's delta
   * have started, which the last look sees, or the databases were restored to different times.
   */
  #check(place: number, view: TransactionView): Promise<void> {
    const known = this.#checks.get(view);
    if (known !== undefined) return known;
    const { storeId } = this.#expected;
    const expected = { storeId, place, shards: this.count };
    const check = view.use((session) => assertShard(session, expected, this.#expected));
    this.#checks.set(view, check);
    return check;
  }

  /** The answers of all shards, in their order. */
  all<Result>(body: (view: TransactionView) => Promise<Result>): Promise<readonly Result[]> {
    return Promise.all(Array.from({ length: this.count }, (_, place) => this.on(place, body)));
  }

  at<Result>(key: AddressBytes, body: (view: TransactionView) => Promise<Result>): Promise<Result> {
    return this.on(shardOf(key, this.count), body);
  }

  async accounts(addresses: readonly AddressBytes[]): Promise<readonly (Account | null)[]> {
    const found = await inOrder(addresses, this.count, (place, some) =>
      this.on(place, (view) => view.read(reads.accounts(some))),
    );
    return takeAll(found);
  }

  tokenAccounts(addresses: readonly AddressBytes[]): Promise<readonly BaseTokenAccount[]> {
    return inOrder(addresses, this.count, (place, some) =>
      this.on(place, (view) => view.read(reads.tokenAccounts(some))),
    );
  }

  async delegated(query: DelegateQuery): Promise<readonly Account[]> {
    const found = (await this.all((view) => view.read(reads.moreDelegated(query)))).flat();
    return takeAll(found.toSorted((a, b) => Buffer.compare(a.address, b.address)).slice(0, query.limit));
  }

  async holdings(query: HoldingQuery): Promise<readonly Holding[]> {
    const found = (await this.all((view) => view.read(reads.holdings(query)))).flat();
    const byMint = Map.groupBy(found, ({ mint }) => addressKey(mint));
    return query.mints.flatMap((mint) =>
      (byMint.get(addressKey(mint)) ?? [])
        .toSorted((a, b) => Buffer.compare(a.tokenAccount, b.tokenAccount))
        .slice(0, query.limit),
    );
  }

  async walletHoldings(query: WalletQuery): Promise<readonly Holding[]> {
    const found = (await this.all((view) => view.read(reads.walletHoldings(query)))).flat();
    return found.toSorted(byWalletOrder).slice(0, query.limit);
  }

  async largest(query: LargestQuery): Promise<readonly LargestAccount[]> {
    const found = (await this.all((view) => view.read(reads.largest(query)))).flat();
    return found.toSorted(byLamportsFalling).slice(0, query.limit);
  }

  async ownAssets(ordinals: readonly Ordinal[], bytesMax?: number): Promise<readonly (StoredAsset | null)[]> {
    const found = await this.all((view) =>
      view.use((session) => listAssetsByOrdinal(session, ordinals, bytesMax)),
    );
    return ordinals.map((ordinal) => {
      const shard = found.find((assets) => assets.has(ordinal));
      if (shard !== undefined) return shard.get(ordinal) ?? null;
      // A view that is too old comes here too: the last look then drops the answer.
      return null;
    });
  }

  async edition(mintOrAddress: AddressBytes): Promise<Edition | null> {
    const { editions } = this.#touched;
    const found = await this.all((view) =>
      view.use((session) => findEditionWithout(session, editions, mintOrAddress)),
    );
    const [first] = found.flatMap(({ ofMint }) => ofMint ?? []).toSorted(byPlace);
    return first ?? found.find(({ ofAddress }) => ofAddress !== null)?.ofAddress ?? null;
  }

  editions({ parent, start, limit }: ReadOf<"editions">): Promise<readonly Edition[]> {
    const { editions } = this.#touched;
    return this.at(parent, (view) =>
      view.use((session) => listEditionsWithout(session, editions, parent, start, limit)),
    );
  }

  editionCount(parent: AddressBytes): Promise<number> {
    const { editions } = this.#touched;
    return this.at(parent, (view) => view.use((session) => countEditionsWithout(session, editions, parent)));
  }

  cancel(): void {
    this.#shards.cancel();
  }

  close(): void {
    this.#shards.close();
  }
}

/** Each shard has counted its own part. This counts all. */
const takeAll = <One extends Account | null>(accounts: readonly One[]): readonly One[] => {
  const listed = new ListedData();
  return accounts.map((account) => listed.take(account));
};

/** The reads of readers that lay a path over rows. Others are joined from these. */
const baseHandlers: Partial<ReadHandlers<MixedBase>> = {
  account: (base, { address }) => base.at(address, (view) => view.read(reads.account(address))),
  accounts: (base, { addresses }) => base.accounts(addresses),
  tokenAccounts: (base, { addresses }) => base.tokenAccounts(addresses),
  isClosed: (base, { address }) => base.at(address, (view) => view.read(reads.isClosed(address))),
  moreDelegated: (base, { query }) => base.delegated(query),
  holdings: (base, { query }) => base.holdings(query),
  walletHoldings: (base, { query }) => base.walletHoldings(query),
  largest: (base, { query }) => base.largest(query),
  ownAsset: (base, { id }) => base.at(id, (view) => view.read(reads.ownAsset(id))),
  ownAssets: (base, { ordinals, bytesMax }) => base.ownAssets(ordinals, bytesMax),
  edition: (base, { mintOrAddress }) => base.edition(mintOrAddress),
  editions: (base, asked) => base.editions(asked),
  editionCount: (base, { parent }) => base.editionCount(parent),
};

const byLamportsFalling = (a: LargestAccount, b: LargestAccount): number =>
  a.lamports === b.lamports ? Buffer.compare(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;

/** The order in which one database finds the prints of a mint. */
const byPlace = (a: Edition, b: Edition): number =>
  Buffer.compare(a.parent, b.parent) ||
  (a.number === b.number ? Buffer.compare(a.address, b.address) : a.number < b.number ? -1 : 1);
