import { isLamplightError } from "@lamplight/errors";
import type { PostgresLocation } from "../engine/location.ts";
import { NODE_RETRY_MS } from "../engine/settings.ts";
import type { Session } from "../engine/session.ts";
import { RowsMoved, useOwnTables } from "./own-tables.ts";
import { assertEpoch, atNode, nodeOfRows } from "./shard-node.ts";
import { ShardSession } from "./shard-session.ts";

type Body<Result> = (session: Session) => Promise<Result>;

interface Pair {
  readonly writes: ShardSession;
  /** Deriving must not wait behind a transaction. */
  readonly reads: ShardSession;
}

/** The node that has the rows. Its sessions are null while they fail, and until they are open. */
interface Node {
  readonly name: string;
  readonly sessions: Pair | null;
  /**
   * Whether the last write went there. Before it, another server may have written after the rows were moved, and the own
   * tables of this node may be left behind.
   */
  readonly isWritten: boolean;
  /** When sessions are opened again; Infinity while they are being opened. */
  readonly retryMs: number;
}

/** Called with a message where the node of a shard cannot be used. */
export type OnProblem = (line: string) => void;

/**
 * The sessions of the writer of one shard. Where Citus has the rows on another node than the URL names, that node is used
 * itself, and while it cannot be used, the server of the URL. Both give the same rows.
 */
export class ShardSessions {
  readonly #location: PostgresLocation;
  readonly #own: Pair;
  readonly #onProblem: OnProblem;
  readonly #retryMs: number;
  #node: Node | null = null;
  /** The last message, until the node is in use again or another one has the rows. */
  #said: string | null = null;
  /** Ends of sessions that failed, and of attempts to open others. */
  #ended: Promise<unknown> = Promise.resolve();

  /** @param retryMs - after which a node that failed is tried again */
  constructor(location: PostgresLocation, onProblem: OnProblem, retryMs: number = NODE_RETRY_MS) {
    this.#location = location;
    this.#own = pairAt(location);
    this.#onProblem = onProblem;
    this.#retryMs = retryMs;
  }

  /** Lends a session of the server that the URL names. */
  useOwn<Result>(body: Body<Result>): Promise<Result> {
    return this.#own.writes.use(body);
  }

  writeOwn<Result>(body: Body<Result>): Promise<Result> {
    return this.#own.writes.write(body);
  }

  /** Runs the body in a transaction, and then `after`, in the same session. The caller repeats it where it fails. */
  async write(body: Body<void>, after: Body<void>): Promise<void> {
    const pair = this.#pair;
    try {
      await pair.writes.write(body);
      await pair.writes.use(after);
      if (this.#node?.sessions === pair) this.#node = { ...this.#node, isWritten: true };
    } catch (error) {
      this.#leave(pair, error);
      throw error;
    }
  }

  /** Asks the node that was written last, and the server of the URL where that fails. */
  async read<Result>(body: Body<Result>): Promise<Result> {
    const pair = this.#node?.isWritten === true ? this.#pair : this.#own;
    try {
      return await pair.reads.use(body);
    } catch (error) {
      if (!this.#leave(pair, error)) throw error;
      return this.#own.reads.use(body);
    }
  }

  /**
   * Goes to the node that has the rows now: Citus may have moved them. One that failed is tried again in parallel with the
   * callers, because a node that does not answer is given up only after seconds.
   *
   * @param epoch - of this writer, which has fenced the rows
   */
  async follow(epoch: number): Promise<void> {
    const name = await this.#own.writes.use(nodeOfRows);
    const { name: known = null, sessions = null, retryMs = 0 } = this.#node ?? {};
    if (name !== known || sessions !== null) this.#said = null;
    if (name !== known) {
      this.#node = null;
      await closePair(sessions);
      if (name !== null) await this.#open(name, epoch);
    } else if (name !== null && sessions === null && performance.now() >= retryMs)
      this.#end(this.#open(name, epoch));
  }

  async close(): Promise<void> {
    const sessions = this.#node?.sessions ?? null;
    this.#node = null;
    await Promise.all([closePair(this.#own), closePair(sessions), this.#ended]);
  }

  async #open(name: string, epoch: number): Promise<void> {
    const opening: Node = { name, sessions: null, isWritten: false, retryMs: Infinity };
    this.#node = opening;
    const pair = pairAt(atNode(this.#location, name), epoch);
    let failure: unknown = null;
    try {
      await Promise.all([pair.writes.use(noWork), pair.reads.use(noWork)]);
    } catch (error) {
      failure = error;
    }
    // The rows were moved in the meantime, or this was closed.
    if (this.#node !== opening) await closePair(pair);
    else if (failure !== null) this.#giveUp(name, pair, failure);
    else this.#node = { name, sessions: pair, isWritten: false, retryMs: 0 };
  }

  #end(work: Promise<unknown>): void {
    this.#ended = Promise.all([this.#ended, work]);
  }

  get #pair(): Pair {
    return this.#node?.sessions ?? this.#own;
  }

  /** Whether the server of the URL may do what failed. */
  #leave(pair: Pair, error: unknown): boolean {
    if (pair === this.#own || isOfRows(error)) return false;
    if (this.#node?.sessions !== pair) return true;
    if (!(error instanceof RowsMoved)) this.#giveUp(this.#node.name, pair, error);
    else {
      this.#node = null;
      this.#end(closePair(pair));
    }
    return true;
  }

  /** The server of the URL is used from here on. */
  #giveUp(name: string, pair: Pair, error: unknown): void {
    this.#node = { name, sessions: null, isWritten: false, retryMs: performance.now() + this.#retryMs };
    this.#end(closePair(pair));
    const said = `a shard is written through ${this.#location.name}, because its node ${name} cannot be used: ${(error as Error).message}`;
    if (said !== this.#said) this.#onProblem(said);
    this.#said = said;
  }
}

/** The server of the URL would say the same. */
const isOfRows = (error: unknown): boolean =>
  isLamplightError(error, "STORE__LOCKED") || isLamplightError(error, "STORE__CORRUPT");

const noWork = async (): Promise<void> => {};

/** @param epoch - of the writer, at the node that has the rows */
const pairAt = (location: PostgresLocation, epoch?: number): Pair => {
  const check = async (session: Session): Promise<void> => {
    if (epoch === undefined) return;
    await assertEpoch(session, epoch);
    await useOwnTables(session);
  };
  return {
    writes: new ShardSession(location, { role: "writer" }, { check }),
    reads: new ShardSession(location, { role: "reader", statementTimeoutMs: 0 }, { check }),
  };
};

const closePair = async (pair: Pair | null): Promise<void> => {
  await Promise.all([pair?.writes.close(), pair?.reads.close()]);
};
