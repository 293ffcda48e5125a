import {
  type AnswerTo,
  NeedsSnapshot,
  type Read,
  type ReadKind,
  type ReadOf,
  type ReadView,
  type TermReader,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { LastLook } from "./last-look.ts";
import type { ShardsState } from "./shards-state.ts";

export interface ShardsViewOptions {
  readonly state: ShardsState;
  /** The number of the delta that the state is at. */
  readonly number: number;
  readonly look: LastLook;
  /** Whether the call may start again on another view. */
  readonly mayRestart: boolean;
  readonly onClose: () => void;
}

/**
 * One slot of a store of several shards. Each answer is followed by the last look: where rows of a newer delta had
 * started before it was complete, it is dropped.
 *
 * @throws NeedsSnapshot, or LamplightError `STORE__BASE_MOVED` where the call cannot start again, from every read
 */
export class ShardsView implements ReadView {
  readonly #options: ShardsViewOptions;
  readonly #state: ShardsState;
  readonly #first = new Map<Read, unknown>();
  #terms: TermReader | null = null;

  constructor(options: ShardsViewOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  get slot(): ReadView["slot"] {
    return this.#state.slot;
  }

  get coverage(): ReadView["coverage"] {
    return this.#state.coverage;
  }

  get incompleteTrees(): ReadView["incompleteTrees"] {
    return this.#state.incompleteTrees;
  }

  get terms(): TermReader {
    this.#terms ??= this.#createTerms();
    return this.#terms;
  }

  /** Reads all of these now. Each is answered by this object later. */
  async readFirst(asked: readonly Read[]): Promise<void> {
    const found = await this.#looked(() => Promise.all(asked.map((one) => this.#state.read(one))));
    for (const [index, one] of asked.entries()) this.#first.set(one, found[index]);
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const known = asked as Read;
    if (this.#first.has(known)) return this.#first.get(known) as AnswerTo<Kind>;
    return this.#looked(() => this.#state.read(asked));
  }

  cancel(): void {
    this.#state.cancel();
  }

  close(): void {
    this.#state.close();
    this.#options.onClose();
  }

  /** The proof holds for what was read before the look, and for nothing that is read after it. */
  async #looked<Result>(body: () => Promise<Result>): Promise<Result> {
    const { number, look, mayRestart } = this.#options;
    let answer: Result;
    try {
      answer = await this.#state.base.reading(body);
    } catch (error) {
      // A mixture of states may also break what a reader relies on.
      if ((await look.started()) <= number) throw error;
      throw mayRestart ? new NeedsSnapshot() : this.#moved();
    }
    if ((await look.started()) <= number) return answer;
    throw mayRestart ? new NeedsSnapshot() : this.#moved();
  }

  #moved(): LamplightError {
    return new LamplightError("STORE__BASE_MOVED", { slot: this.slot });
  }

  #createTerms(): TermReader {
    const { terms } = this.#state;
    const { storeId, changeSeq, nextOrdinal, history } = terms;
    return {
      storeId,
      changeSeq,
      nextOrdinal,
      // The history is the coordinator's alone.
      history,
      listOrdinals: (criterion, limit) => this.#looked(() => terms.listOrdinals(criterion, limit)),
      filterByName: (ordinals, name) => this.#looked(() => terms.filterByName(ordinals, name)),
      listChanges: (since, limit) => this.#looked(() => terms.listChanges(since, limit)),
      readFacts: (ids) => this.#looked(() => terms.readFacts(ids)),
      readPositions: (ordinals) => this.#looked(() => terms.readPositions(ordinals)),
    };
  }
}
