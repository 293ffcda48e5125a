import type { Slot, Transaction } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parseTransactions } from "../transactions/parse-transaction.ts";
import { TransactionFault } from "../transactions/transaction-fault.ts";
import {
  signaturesPerCallMax,
  signaturesPerTreeMax,
  transactionMissedMax,
  transactionsPerBatchMax,
} from "./limits.ts";
import type { RpcClient } from "./rpc-client.ts";
import { RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";
import type { SlotHorizon } from "./slot-horizon.ts";

export interface HistoryContext {
  readonly client: RpcClient;
  readonly horizon: SlotHorizon;
  readonly commitment: "confirmed" | "finalized";
  /** The node must have reached it: then everything up to it is listed. */
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  /** Gets the transactions in batches, oldest first. */
  readonly emit: (transactions: readonly Transaction[]) => void | Promise<void>;
  /** How many of the listed transactions are reported. */
  readonly onProgress: (done: number, total: number) => void;
  /** A transaction that cannot be read: the tree stays incomplete by it. */
  readonly onProblem: (error: LamplightError) => void;
}

interface Listed {
  readonly signature: string;
  readonly slot: Slot;
  readonly failed: boolean;
}

/** "filter transaction not found": what we stopped at last is not known to this node. */
const UNKNOWN_ANCHOR = -32020;
/** So that no node refuses a transaction for being newer than what was asked for. */
const TRANSACTION_VERSION_MAX = 1;

/** The transactions of one tree: everything since the last time, by way of its signatures. */
export class TreeHistory {
  readonly tree: string;
  /** Slots below it were reported; the newest signature reported. */
  #since: Slot;
  #until: string | null = null;
  /** Listed transactions that were not there, and in how many rounds. */
  readonly #missed = new Map<string, number>();

  /** @param since - transactions below this slot are in the store; 0 = none */
  constructor(tree: string, since: Slot) {
    this.tree = tree;
    this.#since = since;
  }

  /** Everything listed so far is of this slot or below it. */
  get reached(): Slot {
    return this.#since;
  }

  /**
   * Reports every transaction up to `minSlot`, and what there is beyond it. When it throws, it goes on from the last page
   * reported. One that a node lists and does not have is given up after some rounds: the tree stays incomplete by it.
   *
   * @returns how many
   * @throws RpcRefusal, RpcForbidden, RpcTrouble
   */
  async catchUp(context: HistoryContext): Promise<number> {
    const listed = await this.#list(context);
    const wanted = listed.filter(({ failed }) => !failed).toReversed();
    for (let from = 0; from < wanted.length; from += transactionsPerBatchMax) {
      const page = wanted.slice(from, from + transactionsPerBatchMax);
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
      if (missed < transactionMissedMax) throw error;
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
        // Reported again from the slot on: nothing is lost by that.
        this.#until = null;
        return this.#list(context);
      }
      listed.push(...page.filter(({ slot }) => slot >= this.#since));
      const last = page.at(-1);
      if (last === undefined || page.length < signaturesPerCallMax || last.slot < this.#since) return listed;
      if (listed.length > signaturesPerTreeMax) {
        throw new RpcForbidden(`tree ${this.tree} has more than ${signaturesPerTreeMax} transactions`);
      }
      before = last.signature;
    }
  }

  /** Null when the node does not know the signature we stopped at. */
  async #listPage(
    before: string | null,
    { client, horizon, commitment, minSlot, signal }: HistoryContext,
  ): Promise<readonly Listed[] | null> {
    const config = {
      limit: signaturesPerCallMax,
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

/** Listed by one node and unknown to another that is behind: it comes. */
const assertFound = (result: unknown, horizon: SlotHorizon): unknown => {
  if (result !== null) {
    horizon.assertNear((result as { readonly slot?: unknown }).slot, "a transaction");
    return result;
  }
  throw new MissingTransaction("a listed transaction is not there yet");
};

class MissingTransaction extends RpcTrouble {}

/** Not there, of a slot that is not there, or of a version that no call of ours can ask for. */
const isMissing = (error: unknown): boolean =>
  error instanceof MissingTransaction || (error instanceof RpcRefusal && missingCodes.has(error.code));

const missingCodes: ReadonlySet<number> = new Set([-32007, -32009, -32015]);
