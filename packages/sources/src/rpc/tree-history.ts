import type { Slot, Transaction } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parseTransactions } from "../transactions/parse-transaction.ts";
import { TransactionFault } from "../transactions/transaction-fault.ts";
import {
  SIGNATURES_PER_CALL_MAX,
  SIGNATURES_PER_TREE_MAX,
  TRANSACTION_MISSED_MAX,
  TRANSACTIONS_PER_BATCH_MAX,
} from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";
import type { SlotHorizon } from "./slot-horizon.ts";

export interface HistoryContext {
  readonly client: RpcClient;
  readonly horizon: SlotHorizon;
  readonly commitment: "confirmed" | "finalized";
  /** The slot that the node must have reached, so that the list is complete up to it. */
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  /** Receives the transactions in batches, oldest first. */
  readonly emit: (transactions: readonly Transaction[]) => void | Promise<void>;
  /** Called with how many of the listed transactions are reported. */
  readonly onProgress: (done: number, total: number) => void;
  /** Called for a transaction that cannot be read. The tree stays incomplete. */
  readonly onProblem: (error: LamplightError) => void;
}

interface Listed {
  readonly signature: string;
  readonly slot: Slot;
  readonly failed: boolean;
}

/** "filter transaction not found": the node does not know our last signature. */
const UNKNOWN_ANCHOR = -32020;
/** Lets nodes accept transactions of every version. */
const TRANSACTION_VERSION_MAX = 1;

/** The transactions of one tree since the last call, found by its signatures. */
export class TreeHistory {
  readonly tree: string;
  /** Slots below it were reported; the newest reported signature. */
  #since: Slot;
  #until: string | null = null;
  /** Listed transactions that were missing, and in how many rounds. */
  readonly #missed = new Map<string, number>();

  /** @param since - transactions below this slot are in the store; 0 = none */
  constructor(tree: string, since: Slot) {
    this.tree = tree;
    this.#since = since;
  }

  /** Everything listed so far is of this slot or an older one. */
  get reached(): Slot {
    return this.#since;
  }

  /**
   * Reports every transaction up to `minSlot`, and later ones if there are any. It continues from the last reported
   * page after an error. A transaction that a node lists but does not have is skipped after some rounds. The tree then
   * stays incomplete.
   *
   * @returns how many
   * @throws RpcRefusal, RpcForbidden, RpcTrouble
   */
  async catchUp(context: HistoryContext): Promise<number> {
    const listed = await this.#list(context);
    const wanted = listed.filter(({ failed }) => !failed).toReversed();
    for (let from = 0; from < wanted.length; from += TRANSACTIONS_PER_BATCH_MAX) {
      const page = wanted.slice(from, from + TRANSACTIONS_PER_BATCH_MAX);
      const answers = await Promise.all(page.map((each) => this.#fetch(each, context)));
      await context.emit(answers.flat());
      this.#moveOn(page.at(-1)!);
      context.onProgress(from + page.length, wanted.length);
    }
    if (listed[0] !== undefined) this.#moveOn(listed[0]);
    return wanted.length;
  }

  #moveOn({ signature, slot }: Listed): void {
    this.#until = signature;
    this.#since = Math.max(this.#since, slot);
    this.#missed.clear();
  }

  async #fetch(each: Listed, context: HistoryContext): Promise<readonly Transaction[]> {
    const { signature } = each;
    try {
      return await fetchTransaction(each, context);
    } catch (error) {
      if (!isMissing(error) || context.signal.aborted) throw error;
      const missed = (this.#missed.get(signature) ?? 0) + 1;
      this.#missed.set(signature, missed);
      if (missed < TRANSACTION_MISSED_MAX) throw error;
      const reason = `lacks transaction ${signature}, which it lists for tree ${this.tree}`;
      context.onProblem(new LamplightError("SOURCE__BAD_MESSAGE", { reason }, { cause: error }));
      return [];
    }
  }

  /** Newest first, back to what was reported before. */
  async #list(context: HistoryContext): Promise<readonly Listed[]> {
    const listed: Listed[] = [];
    let before: string | null = null;
    for (;;) {
      const page: readonly Listed[] | null = await this.#listPage(before, context);
      if (page === null) {
        // Reports again from the slot on, so nothing is lost.
        this.#until = null;
        return this.#list(context);
      }
      listed.push(...page.filter(({ slot }) => slot >= this.#since));
      const last = page.at(-1);
      if (last === undefined || page.length < SIGNATURES_PER_CALL_MAX || last.slot < this.#since)
        return listed;
      if (listed.length > SIGNATURES_PER_TREE_MAX) {
        throw new RpcForbidden(`tree ${this.tree} has more than ${SIGNATURES_PER_TREE_MAX} transactions`);
      }
      before = last.signature;
    }
  }

  /** Null when the node does not know our last signature. */
  async #listPage(
    before: string | null,
    { client, horizon, commitment, minSlot, signal }: HistoryContext,
  ): Promise<readonly Listed[] | null> {
    const config = {
      limit: SIGNATURES_PER_CALL_MAX,
      commitment,
      minContextSlot: minSlot,
      ...(before === null ? {} : { before }),
      ...(this.#until === null ? {} : { until: this.#until }),
    };
    try {
      const answer = await client.call("getSignaturesForAddress", [this.tree, config], {
        signal,
        check: (result) => parseList(result, horizon),
      });
      return answer as readonly Listed[];
    } catch (error) {
      const isUnknown = error instanceof RpcRefusal && error.code === UNKNOWN_ANCHOR;
      if (isUnknown && this.#until !== null) return null;
      throw error;
    }
  }
}

const parseList = (result: unknown, horizon: SlotHorizon): readonly Listed[] => {
  if (!Array.isArray(result)) throw new RpcTrouble("getSignaturesForAddress was answered without a list");
  return result.map(({ signature, slot, err }: { signature: string; slot: unknown; err: unknown }) => ({
    signature,
    slot: horizon.assertNear(slot, "a listed transaction"),
    failed: err !== null && err !== undefined,
  }));
};

const fetchTransaction = async (
  { signature }: Listed,
  { client, horizon, commitment, signal, onProblem }: HistoryContext,
): Promise<readonly Transaction[]> => {
  const config = { encoding: "json", commitment, maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX };
  const answer = await client.call("getTransaction", [signature, config], {
    signal,
    check: (result) => assertFound(result, horizon),
  });
  try {
    return parseTransactions(answer, null);
  } catch (error) {
    if (!(error instanceof TransactionFault)) throw error;
    const reason = `holds what cannot be read: transaction ${signature} ${error.message}`;
    onProblem(new LamplightError("SOURCE__BAD_MESSAGE", { reason }, { cause: error }));
    return [];
  }
};

/** One node listed it, and another one is behind: it will arrive. */
const assertFound = (result: unknown, horizon: SlotHorizon): unknown => {
  if (result !== null) {
    horizon.assertNear((result as { readonly slot?: unknown }).slot, "a transaction");
    return result;
  }
  throw new MissingTransaction("a listed transaction is not there yet");
};

class MissingTransaction extends RpcTrouble {}

/** The transaction is missing, its slot is missing, or no call supports its version. */
const isMissing = (error: unknown): boolean =>
  error instanceof MissingTransaction || (error instanceof RpcRefusal && missingCodes.has(error.code));

const missingCodes: ReadonlySet<number> = new Set([-32007, -32009, -32015]);
