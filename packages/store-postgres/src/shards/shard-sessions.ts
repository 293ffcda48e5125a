import { isLamplightError } from "@lamplight/errors";
import type { PostgresLocation } from "../engine/location.ts";
import { NODE_RETRY_MS } from "../engine/settings.ts";
import type { Session } from "../engine/session.ts";
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
  #node: Node | null = null;
  /** Ends of sessions that failed. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(location: PostgresLocation, onProblem: OnProblem) {
    this.#location = location;
    this.#own = pairAt(location);
    this.#onProblem = onProblem;
  }

  /** Lends a session of the server that the URL names. */
  useOwn<Result>(body: Body<Result>): Promise<Result> {
    return this.#own.writes.use(body);
  }

  writeOwn<Result>(body: Body<Result>): Promise<Result> {
    return this.#own.writes.write(body);
  }

  /** Runs the body in a transaction, and then `after`, in the same session. */
  async write(body: Body<void>, after: Body<void>): Promise<void> {
    await this.#lend("writes", async (session) => {
      await session.write(body);
      await session.use(after);
    });
  }

  read<Result>(body: Body<Result>): Promise<Result> {
    return this.#lend("reads", (session) => session.use(body));
  }

  /**
   * Goes to the node that has the rows now: Citus may have moved them.
   *
   * @param epoch - of this writer, which has fenced the rows
   */
  async follow(epoch: number): Promise<void> {
    const name = await this.#own.writes.use(nodeOfRows);
    const { name: known = null, sessions = null, retryMs = 0 } = this.#node ?? {};
    if (name === known && (sessions !== null || performance.now() < retryMs)) return;
    this.#node = null;
    await closePair(sessions);
    if (name === null) return;
    const pair = pairAt(atNode(this.#location, name), (session) => assertEpoch(session, epoch));
    this.#node = { name, sessions: pair, retryMs: 0 };
    // Opens both now. Where that fails, the server of the URL is used from here on.
    await Promise.allSettled([this.read(noWork), this.#lend("writes", (session) => session.use(noWork))]);
  }

  async close(): Promise<void> {
    await closePair(this.#own);
    await closePair(this.#node?.sessions ?? null);
    await this.#ended;
  }

  async #lend<Result>(of: keyof Pair, body: (session: ShardSession) => Promise<Result>): Promise<Result> {
    const node = this.#node;
    if (node?.sessions === undefined || node.sessions === null) return body(this.#own[of]);
    try {
      return await body(node.sessions[of]);
    } catch (error) {
      // The server of the URL would say the same.
      const isOfRows = isLamplightError(error, "STORE__LOCKED") || isLamplightError(error, "STORE__CORRUPT");
      if (!isOfRows) this.#leave(node, error);
      throw error;
    }
  }

  /** The caller repeats what failed, then with the server of the URL. */
  #leave(node: Node, error: unknown): void {
    if (this.#node !== node) return;
    this.#node = { ...node, sessions: null, retryMs: performance.now() + NODE_RETRY_MS };
    this.#ended = Promise.all([this.#ended, closePair(node.sessions)]);
    this.#onProblem(
      `a shard is written through ${this.#location.name}, because its node ${node.name} cannot be used: ${(error as Error).message}`,
    );
  }
}

const noWork = async (): Promise<void> => {};

const pairAt = (location: PostgresLocation, check?: Body<void>): Pair => ({
  writes: new ShardSession(location, { role: "writer" }, { check }),
  reads: new ShardSession(location, { role: "reader", statementTimeoutMs: 0 }, { check }),
});

const closePair = async (pair: Pair | null): Promise<void> => {
  await pair?.writes.close();
  await pair?.reads.close();
};
