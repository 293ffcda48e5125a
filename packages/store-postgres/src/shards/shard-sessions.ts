import { isLamplightError } from "@lamplight/errors";
import type { PostgresLocation } from "../engine/location.ts";
import { NODE_RETRY_MS } from "../engine/settings.ts";
import type { Session } from "../engine/session.ts";
import { useOwnTables } from "./own-tables.ts";
import { assertEpoch, atNode, nodeOfRows } from "./shard-node.ts";
import { ShardSession } from "./shard-session.ts";

type Body<Result> = (session: Session) => Promise<Result>;

interface Pair {
  readonly writes: ShardSession;
  /** Deriving must not wait behind a transaction. */
  readonly reads: ShardSession;
}

/** The node that has the rows. Its sessions are null while they fail. */
interface Node {
  readonly name: string;
  readonly sessions: Pair | null;
  /** When sessions are opened again. */
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
  /** Ends of sessions that failed. */
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
    } catch (error) {
      this.#leave(pair, error);
      throw error;
    }
  }

  /** Asks the node of the rows, and the server of the URL where that fails. */
  async read<Result>(body: Body<Result>): Promise<Result> {
    const pair = this.#pair;
    try {
      return await pair.reads.use(body);
    } catch (error) {
      if (!this.#leave(pair, error)) throw error;
      return this.#own.reads.use(body);
    }
  }

  /**
   * Goes to the node that has the rows now: Citus may have moved them.
   *
   * @param epoch - of this writer, which has fenced the rows
   */
  async follow(epoch: number): Promise<void> {
    const name = await this.#own.writes.use(nodeOfRows);
    const { name: known = null, sessions = null, retryMs = 0 } = this.#node ?? {};
    if (name !== known || sessions !== null) this.#said = null;
    if (name === known && (sessions !== null || performance.now() < retryMs)) return;
    this.#node = null;
    await closePair(sessions);
    if (name === null) return;
    const pair = pairAt(atNode(this.#location, name), epoch);
    try {
      await Promise.all([pair.writes.use(noWork), pair.reads.use(noWork)]);
      this.#node = { name, sessions: pair, retryMs: 0 };
    } catch (error) {
      this.#giveUp(name, pair, error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([closePair(this.#own), closePair(this.#node?.sessions ?? null), this.#ended]);
  }

  get #pair(): Pair {
    return this.#node?.sessions ?? this.#own;
  }

  /** Whether the server of the URL may do what failed. */
  #leave(pair: Pair, error: unknown): boolean {
    if (pair === this.#own || isOfRows(error)) return false;
    if (this.#node?.sessions === pair) this.#giveUp(this.#node.name, pair, error);
    return true;
  }

  /** The server of the URL is used from here on. */
  #giveUp(name: string, pair: Pair, error: unknown): void {
    this.#node = { name, sessions: null, retryMs: performance.now() + this.#retryMs };
    this.#ended = Promise.all([this.#ended, closePair(pair)]);
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
    if (epoch !== undefined) await assertEpoch(session, epoch);
  };
  const checkWriter = async (session: Session): Promise<void> => {
    await check(session);
    if (epoch !== undefined) await useOwnTables(session);
  };
  return {
    writes: new ShardSession(location, { role: "writer" }, { check: checkWriter }),
    reads: new ShardSession(location, { role: "reader", statementTimeoutMs: 0 }, { check }),
  };
};

const closePair = async (pair: Pair | null): Promise<void> => {
  await Promise.all([pair?.writes.close(), pair?.reads.close()]);
};
