import {
  type AddressBytes,
  type AnswerTo,
  type Criterion,
  type IndexReader,
  type ItemsOfState,
  NeedsSnapshot,
  type Opening,
  type Ordinal,
  type Read,
  type ReadKind,
  type ReadOf,
  type ReadView,
  type TermReader,
} from "@lamplight/core";
import { brokenInvariant, isLamplightError, LamplightError } from "@lamplight/errors";
import type { SessionPool } from "../engine/session-pool.ts";
import { cancelled, type Session } from "../engine/session.ts";
import { filterByName, listOrdinals } from "../queries/list-ordinals.ts";
import { listChanges, readFactsById, readPositions } from "../queries/read-asset-page.ts";
import {
  beginView,
  isSameState,
  readViewHead,
  type StoreSettings,
  type ViewHead,
} from "../queries/read-head.ts";
import { readWrittenThrough } from "../queries/read-history.ts";
import { handlers, type KindWithHead, readsWithHead } from "./read-handlers.ts";
import { createGatheredReads, type GatheredReads } from "./gathered-reads.ts";
import { createIndexReader } from "./index-reader.ts";
import type { Caches, SharedCaches } from "./shared-caches.ts";

/** Seconds for `Retry-After` while there is no watermark yet. */
const LOADING_RETRY_SECONDS = 5;

/** The parts of a reader that its views use. */
export interface ReaderParts {
  readonly pool: SessionPool;
  readonly caches: SharedCaches;
  /** Cancels the running statement of a session. */
  readonly stop: (session: Session) => void;
  /** Whether one statement reads one state, and may join any tables. A distributed store has several databases. */
  readonly isOneDatabase: boolean;
}

/** A state of the store, and what is known of it. */
interface ViewState {
  readonly head: ViewHead;
  readonly settings: StoreSettings;
  readonly caches: Caches;
}

/**
 * One state of a store. A view with a transaction has one session from its opening to its close. Any other has a session
 * for each round of reads: the opening is the first of them, and each brings the head, which must stay that of the
 * first. Off-chain documents belong to no slot, and may change between two such rounds.
 */
export class PostgresView implements ReadView {
  readonly #reader: ReaderParts;
  readonly hasTransaction: boolean;
  /** Null before the first head. */
  #state: ViewState | null = null;
  /** The answers to the first round, by the reads that were asked for. */
  readonly #first = new Map<Read, unknown>();
  #taking: Promise<Session> | null = null;
  #session: Session | null = null;
  /** Reads that use the session. One of them may go on after another has failed the call. */
  #users = 0;
  #isCancelled = false;
  #isClosed = false;
  #gathered: GatheredReads | null = null;
  readonly terms: TermReader = new ViewTerms(this);

  protected constructor(reader: ReaderParts, hasTransaction: boolean) {
    this.#reader = reader;
    this.hasTransaction = hasTransaction;
  }

  /**
   * Opens a view without a transaction, by its first reads. Null where one of these needs more than one statement: then
   * a transaction is the cheaper way.
   */
  static async openByReading(reader: ReaderParts, opening: Opening): Promise<PostgresView | null> {
    const { reads } = opening;
    if (!reads.every(isWithHead)) return null;
    const view = new PostgresView(reader, false);
    const stop = (): void => view.cancel();
    // Where this server was left, another one is read for the opening.
    if (!reader.pool.isClosed) opening.stop = stop;
    try {
      const found = await Promise.all(reads.map((one) => view.#readWithHead(one)));
      for (const [index, answer] of found.entries()) {
        if (answer === null) return null;
        view.#first.set(reads[index]!, answer.value);
      }
      return view;
    } finally {
      if (opening.stop === stop) opening.stop = null;
    }
  }

  /** @throws LamplightError `STORE__LOADING` before the first watermark */
  static async openTransaction(reader: ReaderParts): Promise<TransactionView> {
    const view = new TransactionView(reader, true);
    try {
      await view.#lend((session) => view.#begin(session));
      return view;
    } catch (error) {
      view.close();
      throw error;
    }
  }

  async #begin(session: Session): Promise<void> {
    const { caches: shared } = this.#reader;
    const before = shared.seen;
    const head = await beginView(session);
    if (head.slot === null)
      throw new LamplightError("STORE__LOADING", { retryAfterSeconds: LOADING_RETRY_SECONDS });
    const caches = shared.at(head, before);
    this.#state = { head, caches, settings: await caches.settings.at(head.settingsRevision, session) };
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const one = asked as Read;
    const known = this.#first.get(one);
    if (known !== undefined) return known as AnswerTo<Kind>;
    if (this.hasTransaction || !isWithHead(one)) return handlers[asked.kind](this, asked);
    const found = await this.#readWithHead(one);
    if (found === null) throw new NeedsSnapshot();
    return found.value as AnswerTo<Kind>;
  }

  use<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.hasTransaction) return this.#lend(body);
    return this.#lend(async (session) => {
      const found = await body(session);
      // What lies between two equal heads is of one state.
      this.#meet(await readViewHead(session), null);
      return found;
    });
  }

  get slot(): ReadView["slot"] {
    return this.head.slot ?? 0;
  }

  get coverage(): ReadView["coverage"] {
    return this.settings.coverage;
  }

  get incompleteTrees(): ReadView["incompleteTrees"] {
    return this.settings.incompleteTrees;
  }

  get derivation(): ReadView["derivation"] {
    return this.settings.derivation;
  }

  get head(): ViewHead {
    return this.#opened.head;
  }

  get settings(): StoreSettings {
    return this.#opened.settings;
  }

  get programs(): Caches["programs"] {
    return this.#opened.caches.programs;
  }

  get isOneDatabase(): boolean {
    return this.#reader.isOneDatabase;
  }

  get #opened(): ViewState {
    if (this.#state === null) throw brokenInvariant("a view is read before it is open");
    return this.#state;
  }

  async itemsOfState(): Promise<ItemsOfState | null> {
    const { head, caches } = this.#opened;
    const { changeSeq, contentSeq } = head;
    if (contentSeq === null) return null;
    return this.use(async (session) => caches.items.at({ changeSeq, contentSeq }, session));
  }

  get treeTops(): Caches["treeTops"] {
    return this.#opened.caches.treeTops;
  }

  get gathered(): GatheredReads {
    return (this.#gathered ??= createGatheredReads(this));
  }

  get isUsable(): boolean {
    return !this.hasTransaction || this.#session?.isUsable === true;
  }

  cancel(): void {
    this.#isCancelled = true;
    const session = this.#session;
    if (session?.cancel() === true) this.#reader.stop(session);
  }

  close(): void {
    this.#isClosed = true;
    this.#giveBackUnused();
  }

  /** Null where one statement is not enough. */
  #readWithHead(asked: ReadOf<KindWithHead>): Promise<{ readonly value: unknown } | null> {
    const { caches } = this.#reader;
    return this.#lend(async (session) => {
      const before = caches.seen;
      const found = await readsWithHead[asked.kind](session, caches, asked as never);
      const state = found === null ? null : this.#meet(found.head, before);
      if (found === null || state === null) return null;
      return found.answerAt({ settings: state.settings, programs: state.caches.programs });
    });
  }

  /**
   * Null where the store has no slot yet, or its settings are not known.
   *
   * @param before - the newest head that was seen when this one was requested
   * @throws NeedsSnapshot where an earlier round was of another state
   */
  #meet(head: ViewHead, before: ViewHead | null): ViewState | null {
    if (this.#state !== null) {
      if (!isSameState(this.#state.head, head)) throw new NeedsSnapshot();
      return this.#state;
    }
    if (head.slot === null) return null;
    const caches = this.#reader.caches.at(head, before);
    const settings = caches.settings.known(head.settingsRevision);
    return settings === null ? null : (this.#state = { head, settings, caches });
  }

  /** Reads that are asked for together share a session. */
  async #lend<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw cancelled();
    const { pool } = this.#reader;
    this.#users += 1;
    try {
      this.#session ??= await (this.#taking ??= pool.take());
      if (this.#isCancelled) this.#session.cancel();
      return await body(this.#session);
    } catch (error) {
      // An idle session may be of a server that was restarted, or is no longer read, since.
      const isLost = isLamplightError(error, "STORE__UNREACHABLE") || pool.isClosed;
      throw isLost && !this.hasTransaction && this.#state !== null ? new NeedsSnapshot() : error;
    } finally {
      this.#users -= 1;
      this.#giveBackUnused();
    }
  }

  #giveBackUnused(): void {
    const session = this.#session;
    const isNeeded = this.#users > 0 || (this.hasTransaction && !this.#isClosed);
    if (isNeeded) return;
    this.#session = null;
    this.#taking = null;
    if (session === null) return;
    const { pool } = this.#reader;
    // A server that did not answer the opening is not waited for again.
    const isInTransaction = this.hasTransaction && (session.isUsable || this.#state !== null);
    session.renew();
    if (isInTransaction) void session.end().then(() => pool.giveBack(session));
    else pool.giveBack(session);
  }
}

/** An overlay reads the counters of every view. Only a search index needs the rest. */
class ViewTerms implements TermReader {
  readonly #view: PostgresView;

  constructor(view: PostgresView) {
    this.#view = view;
  }

  get storeId(): string {
    return this.#view.settings.storeId;
  }

  get changeSeq(): number {
    return this.#view.head.changeSeq;
  }

  get nextOrdinal(): Ordinal {
    return this.#view.head.nextOrdinal;
  }

  get history(): NonNullable<TermReader["history"]> {
    return this;
  }

  get writer(): string {
    return this.#view.head.writer;
  }

  through(earlier: string): Promise<number | null> {
    return this.#view.use((session) => readWrittenThrough(session, earlier));
  }

  listOrdinals(criterion: Criterion, limit: number): Promise<Uint32Array | null> {
    return this.#view.use((session) => listOrdinals(session, this.#view.settings.holdings, criterion, limit));
  }

  filterByName(ordinals: Uint32Array, name: string): Promise<Uint32Array> {
    return this.#view.use((session) => filterByName(session, ordinals, name));
  }

  listChanges(since: number, limit: number) {
    return this.#view.use((session) => listChanges(session, since, limit));
  }

  readPositions(ordinals: readonly Ordinal[]) {
    return this.#view.use((session) => readPositions(session, ordinals));
  }

  readFacts(ids: readonly AddressBytes[]) {
    return this.#view.use((session) => readFactsById(session, ids));
  }
}

/** A view with a transaction, which also has the bulk reads of the index, for filling a search index and for checks. */
export class TransactionView extends PostgresView {
  #index: IndexReader | null = null;

  get index(): IndexReader {
    return (this.#index ??= createIndexReader((body) => this.use(body), this.programs));
  }
}

const isWithHead = (asked: Read): asked is ReadOf<KindWithHead> => asked.kind in readsWithHead;
