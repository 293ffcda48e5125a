import type { TermReader } from "@lamplight/core";

/** Views of openings before these are no longer met. */
const WRITERS_MAX = 8;

/** The state of a view, and what wrote it. */
export type ViewState = Pick<TermReader, "changeSeq" | "history">;

/** An opening for writing, see `StoreHistory`. */
export interface KnownWriter {
  readonly id: string;
  /** Its newest change that the index contains or may still take in; Infinity for the latest opening. */
  readonly through: number;
}

/**
 * The openings for writing whose changes an index contains. After a restore, a view that was opened before may have the
 * same numbers with other rows: it must neither be answered by the index nor move it.
 */
export class IndexHistory {
  #writers: readonly KnownWriter[];

  /** @param writers - the latest last */
  constructor(writers: readonly KnownWriter[] = []) {
    this.#writers = writers;
  }

  get writers(): readonly KnownWriter[] {
    return this.#writers;
  }

  /** The latest opening; null where the store has no history, or before the first change. */
  get latest(): string | null {
    return this.#writers.at(-1)?.id ?? null;
  }

  /**
   * Whether the index was, is, or may come to be at the state of the view. The answer stays true once the index has
   * reached that state.
   */
  has({ changeSeq, history }: ViewState): boolean {
    if (history === undefined) return true;
    const known = this.#writers.find(({ id }) => id === history.writer);
    return known !== undefined && changeSeq <= known.through;
  }

  /**
   * Answers as `has` does. An opening that is not known is added where it continues the index.
   *
   * @param index - the index, which may be moved during the wait
   */
  async admits(view: ViewState, index: { readonly changeSeq: number }): Promise<boolean> {
    const { history } = view;
    if (history === undefined || this.#writers.some(({ id }) => id === history.writer)) return this.has(view);
    const last = this.#writers.at(-1);
    const through = last === undefined ? Infinity : await history.through(last.id);
    // Another view may have added its opening.
    if (this.#writers.at(-1) !== last) return this.admits(view, index);
    if (through === null || through < index.changeSeq) return false;
    const before = last === undefined ? [] : [...this.#writers.slice(0, -1), { ...last, through }];
    this.#writers = [...before, { id: history.writer, through: Infinity }].slice(-WRITERS_MAX);
    return true;
  }
}
