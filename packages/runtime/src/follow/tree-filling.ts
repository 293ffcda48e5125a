import { decodeAddress } from "@lamplight/codecs";
import {
  type CoverageRequest,
  type IndexStore,
  isTreeComplete,
  parseCoverageRequest,
  parseTreeState,
  type SlotRate,
  type Transaction,
  type TreeCoverage,
  treeCoverageOf,
  withTrees,
  writeCoverageRequest,
} from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { type ForkOverlay, readTreeSlot } from "@lamplight/indexer";
import { FillReader, TreeHistory } from "@lamplight/sources/rpc";
import { knownChainOf } from "./known-chain.ts";
import { repeatStep } from "./repeat-step.ts";

export interface TreeFillingOptions {
  readonly store: IndexStore;
  readonly overlay: ForkOverlay;
  /** URL of an RPC node; null = none. */
  readonly url: string | null;
  readonly signal: AbortSignal;
  readonly rate: SlotRate;
  /** Follows a tree from now on. Absent where the source reports the changes of every tree. */
  readonly follow?: (tree: string) => Promise<void>;
  readonly say: (line: string) => void;
  readonly inform: (line: string) => void;
}

/** Metrics show this. */
export interface TreesState {
  /** Trees that are being completed. */
  readonly filling: number;
  /** Transactions that were read for trees, by this process. */
  readonly transactions: number;
}

/** How far this process has read a tree. */
interface TreeReading {
  readonly history: TreeHistory;
  /** Transactions that were read. */
  count: number;
  /** Number of the page with the last of them; 0 = none was read. */
  lastPage: number;
}

/**
 * Completes incomplete trees of a followed store, one after another. The transactions of a tree are read from an RPC node,
 * oldest first, and added to new slots. They may come in any order and repeatedly, so a run that ends early goes on with
 * the first change that is missing. Where the source reports only trees that it is asked for, the tree is followed then.
 */
export class TreeFilling {
  readonly #options: TreeFillingOptions;
  readonly #reader: FillReader | null;
  /** Each belongs to a tree that is asked for. */
  readonly #readings = new Map<string, TreeReading>();
  #transactions = 0;
  /** Counts the steps. */
  #turn = 0;
  readonly #ended: Promise<void>;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor(options: TreeFillingOptions) {
    this.#options = options;
    const { url, signal, rate, store } = options;
    this.#reader = url === null ? null : new FillReader({ url, signal, rate });
    const repeat = { ...options, failed: "a tree cannot be completed now" };
    this.#ended =
      store.coverageRequests === undefined ? Promise.resolve() : repeatStep(() => this.#step(), repeat);
  }

  get state(): TreesState {
    return { filling: this.#readings.size, transactions: this.#transactions };
  }

  /** Resolves once nothing works on trees any more; the signal is aborted. */
  async close(): Promise<void> {
    await this.#ended;
    this.#reader?.close();
  }

  async #step(): Promise<void> {
    const trees = await this.#asked();
    for (const tree of this.#readings.keys()) if (!trees.includes(tree)) this.#readings.delete(tree);
    const tree = trees[this.#turn % Math.max(1, trees.length)];
    // A tree that fails does not hold up the others.
    this.#turn += 1;
    if (tree !== undefined) await this.#fill(tree);
  }

  async #asked(): Promise<readonly string[]> {
    const { overlay, store } = this.#options;
    const text = await overlay.whileIdle(() => store.coverageRequests!.read());
    return parseCoverageRequest(text).trees ?? [];
  }

  async #fill(tree: string): Promise<void> {
    const { overlay, say, inform, signal, follow } = this.#options;
    const reader = this.#reader;
    if ((await this.#coverageOf(tree)) === null)
      throw usageError(
        `the store does not know tree ${tree}; its account or one of its changes must come first`,
      );
    if (reader === null)
      throw usageError(
        "there is no RPC node to read the transactions of trees from: start the follower with --repair-rpc",
      );
    const reading = await this.#readingOf(tree);
    const { lastPage } = reading;
    try {
      await this.#read(reader, reading);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(await this.#isAsked(tree))) return inform(`tree ${tree} is not completed any more`);
      // A reading that moved on has not failed: a later step goes on with it.
      if (reading.lastPage > lastPage) return;
      throw error;
    }
    await overlay.fill.drained(signal, reading.lastPage);
    const coverage = await this.#coverageOf(tree);
    // What follows reads from the first change that is missing, and all of that at once.
    const isFollowed = follow !== undefined && coverage !== null && lacksNoEarlier(coverage);
    if (isFollowed) await follow(tree);
    await this.#forget(tree);
    this.#readings.delete(tree);
    if (coverage !== null && isTreeComplete(coverage))
      inform(`tree ${tree} is complete: ${reading.count} transactions were read`);
    else if (isFollowed)
      inform(`tree ${tree} is followed: ${reading.count} transactions were read, and later ones come now`);
    else say(`tree ${tree} is still incomplete after all ${reading.count} transactions of the RPC node`);
  }

  async #isAsked(tree: string): Promise<boolean> {
    return (await this.#asked()).includes(tree);
  }

  /** The reading goes on after an error, so that a transaction that the node lacks is skipped in the end. */
  async #readingOf(tree: string): Promise<TreeReading> {
    const { overlay, store, inform } = this.#options;
    const known = this.#readings.get(tree);
    if (known !== undefined) return known;
    const since = await overlay.whileIdle(async () =>
      readTreeSlot(store, tree, (await store.readWatermark())?.slot ?? 0),
    );
    const reading = { history: new TreeHistory(tree, since), count: 0, lastPage: 0 };
    this.#readings.set(tree, reading);
    inform(`reading the transactions of tree ${tree} from the RPC node, from slot ${since} on`);
    return reading;
  }

  async #read(reader: FillReader, reading: TreeReading): Promise<void> {
    const { overlay, store, say, signal } = this.#options;
    const base = await overlay.whileIdle(async () => ({
      watermark: await store.readWatermark(),
      chain: await knownChainOf(store),
    }));
    const { history } = reading;
    const emit = async (transactions: readonly Transaction[]): Promise<void> => {
      if (!(await this.#isAsked(history.tree))) throw usageError(`tree ${history.tree} was dropped`);
      const slot = transactions.reduce((newest, one) => Math.max(newest, one.slot), 0);
      const none = { accounts: [], forgotten: [], forget: () => null, onCommit: () => {} };
      reading.lastPage = await overlay.fill.add({ ...none, slot, since: 0, transactions }, signal);
      reading.count += transactions.length;
      this.#transactions += transactions.length;
    };
    const onProblem = (error: Error): void => say(error.message);
    await reader.readTree(history, base, { emit, onProblem });
  }

  /** Null = the store does not know the tree. */
  #coverageOf(tree: string): Promise<TreeCoverage | null> {
    const { overlay, store } = this.#options;
    return overlay.whileIdle(async () => {
      const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
      return row === undefined || row === null ? null : treeCoverageOf(tree, parseTreeState(row.state));
    });
  }

  async #forget(tree: string): Promise<void> {
    const { overlay, store } = this.#options;
    const requests = store.coverageRequests!;
    const without = (request: CoverageRequest): CoverageRequest =>
      withTrees(request, { add: [], drop: [tree] });
    for (let isTaken = false; !isTaken;) {
      isTaken = await overlay.whileIdle(async () => {
        const text = await requests.read();
        const rest = writeCoverageRequest(without(parseCoverageRequest(text)));
        return text === null || requests.take(text, await store.readCoverage(), rest);
      });
    }
  }
}

/** Whether at most the newest changes are missing. Where none was read at all, the account of the tree says whether there were any. */
const lacksNoEarlier = ({ completeThroughSeq, highestSeq, accountSeq }: TreeCoverage): boolean =>
  completeThroughSeq >= highestSeq && (highestSeq > 0 || (accountSeq ?? 0) === 0);
