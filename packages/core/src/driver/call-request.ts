import { isLamplightError } from "@lamplight/errors";
import type { Commitment, Slot } from "../domain/address.ts";
import type { MethodSettings } from "../methods/method-settings.ts";
import type { Profile } from "../profile/profile.ts";
import type { MaybePromise, Opening, ReadView, ViewSource } from "../ports/read-view.ts";
import { NeedsSnapshot } from "../ports/needs-snapshot.ts";
import type { Read } from "../ports/reads.ts";

/** The view of one commitment that calls share. */
interface AskedView {
  readonly commitment: Commitment;
  view: MaybePromise<ReadView>;
}

/**
 * Sees what a call reads, for `lamplight explain` and for logs. A call that starts again on another view reads again.
 *
 * @param reads - of one round, at least one
 * @returns called with their answers, in the order of the reads; not called where the store refuses one
 */
export type RoundObserver = (reads: readonly Read[]) => (answers: readonly unknown[]) => void;

interface CallRequestParts {
  readonly viewSource: ViewSource;
  readonly settings: MethodSettings;
  /** Default `spec`. */
  readonly profile?: Profile;
  /** Whether it has one call only; default false. */
  readonly isAlone?: boolean;
  /** Called before each round of reads. Default: the reads are not observed. */
  readonly onRound?: RoundObserver;
}

/** To read an account of so many bytes takes about the processor time of all else of a `getAccountInfo`. */
export const LARGE_ACCOUNT_BYTES: number = 64 << 10;

/**
 * One call, or the calls of a batch: what they share while they are answered. It has one view for each commitment, which
 * is opened on first use. `close` closes all. A method sees none of it. A server adds what the request may take.
 */
export class CallRequest {
  readonly settings: MethodSettings;
  profile: Profile;
  /** Whether no other call reads through its views. */
  isAlone: boolean;
  readonly #source: ViewSource;
  readonly #onRound: RoundObserver | null;
  /** One to three: searching a list this short costs less than hashing. */
  readonly #asked: AskedView[] = [];
  readonly #open: ReadView[] = [];
  /** Slots of answers that were kept from earlier requests; nearly always none. */
  readonly #noted: Slot[] = [];
  #isPartial = false;
  #updatedSlot: Slot | null = null;
  /** Made when the first tree is noted: nearly every store is complete. */
  #incompleteTrees: Set<string> | null = null;
  /** The opening that the newest view was asked for with, for `cancel`. */
  #opening: Opening | null = null;
  #wasRestarted = false;
  #closed = false;
  #cancelled = false;

  constructor({ viewSource, settings, profile = "spec", isAlone = false, onRound }: CallRequestParts) {
    this.#source = viewSource;
    this.settings = settings;
    this.profile = profile;
    this.isAlone = isAlone;
    this.#onRound = onRound ?? null;
  }

  /** Sees the reads of one call; null = they are not observed. */
  roundObserver(_method: string): RoundObserver | null {
    return this.#onRound;
  }

  /**
   * Uses a place among the sessions of the store for one more view: a promise of it, or null where there is one now.
   *
   * @throws LamplightError `STORE__BUSY` where there is none for it
   */
  protected usePlace(): Promise<void> | null {
    return null;
  }

  /** No view was opened in the place: the next one may be. */
  protected stopUsingPlace(): void {}

  /**
   * Counts bytes of an answer while it is put together.
   *
   * @param _own - bytes of this answer so far; a single answer may use the whole bound
   * @throws LamplightError `SERVER__BUSY` where all answers together are over their bound; the bytes are counted also then
   */
  addAnswer(_bytes: number, _own: number): void {}

  /** A call has read a whole account, or a page of them, of `LARGE_ACCOUNT_BYTES` or more. */
  noteLargeRead(_method: string, _bytes: number): void {}

  /** The answer is finished, or given up. */
  removeAnswer(_bytes: number): void {}

  /** @param opening - of a call that shares its view with no other; `restart` comes before the next view */
  view(commitment: Commitment, opening?: Opening): MaybePromise<ReadView> {
    if (opening !== undefined) return this.#openOne(commitment, opening);
    const known = this.#asked.find((asked) => asked.commitment === commitment);
    if (known !== undefined) return known.view;
    const asked: AskedView = { commitment, view: this.#openOne(commitment) };
    this.#asked.push(asked);
    if (asked.view instanceof Promise) this.#settle(asked, asked.view);
    return asked.view;
  }

  /** An open view is there at once for later calls. One that could not be opened is no answer to them. */
  #settle(asked: AskedView, opening: Promise<ReadView>): void {
    opening.then(
      (view) => void (asked.view = view),
      (error: unknown) => {
        if (!hasWaited(error)) this.#asked.splice(this.#asked.indexOf(asked), 1);
      },
    );
  }

  #openOne(commitment: Commitment, opening?: Opening): MaybePromise<ReadView> {
    this.#opening = opening ?? null;
    // After a restart, the request still has the place of the view that was closed.
    const place = this.#wasRestarted ? null : this.usePlace();
    return place === null
      ? this.#openInPlace(commitment, opening)
      : place.then(() => this.#openInPlace(commitment, opening));
  }

  #openInPlace(commitment: Commitment, opening: Opening | undefined): MaybePromise<ReadView> {
    try {
      // The caller may have left while it waited for the place.
      this.throwIfCancelled();
      const view = this.#source.openView(commitment, opening);
      return view instanceof Promise
        ? view.then(
            (opened) => this.#keep(opened),
            (error: unknown) => this.#notOpened(error),
          )
        : this.#keep(view);
    } catch (error) {
      return this.#notOpened(error);
    }
  }

  #notOpened(error: unknown): never {
    // The call starts again in the same place.
    if (!(error instanceof NeedsSnapshot)) this.stopUsingPlace();
    throw error;
  }

  /** Closes the view that was opened for one call, and forgets what was noted of its answers. */
  restart(): void {
    this.#wasRestarted = true;
    for (const view of this.#open.splice(0)) view.close();
    this.#isPartial = false;
    this.#updatedSlot = null;
    this.#incompleteTrees = null;
  }

  /** Slots read so far, without repeats: the response header `X-Slot` is written when there is exactly one. */
  slots(): readonly Slot[] {
    if (this.#open.length === 1 && this.#noted.length === 0) return [this.#open[0]!.slot];
    return [...new Set([...this.#open.map((view) => view.slot), ...this.#noted])];
  }

  /** Notes the slot of an answer that was read earlier. */
  note(slot: Slot): void {
    this.#noted.push(slot);
  }

  /** Notes that an answer lists only what the store covers. */
  notePartial(): void {
    this.#isPartial = true;
  }

  /** Whether an answer lists only what the store holds: the response header `X-Coverage: partial`. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** Notes the slot of the last update of the asset that the answer is about. */
  noteUpdatedSlot(slot: Slot): void {
    this.#updatedSlot = slot;
  }

  /** Slot of the last update of the one asset that was asked for, alone: the response header `X-Updated-Slot`. */
  get updatedSlot(): Slot | null {
    return this.#updatedSlot;
  }

  /** Notes trees whose missing leaves could change the answer. */
  noteIncompleteTrees(trees: readonly string[]): void {
    if (trees.length === 0) return;
    this.#incompleteTrees ??= new Set();
    for (const tree of trees) this.#incompleteTrees.add(tree);
  }

  /** Addresses of trees whose missing leaves could change an answer so far, without repeats; usually none. */
  incompleteTrees(): readonly string[] {
    if (this.#incompleteTrees === null) return [];
    const trees = [...this.#incompleteTrees];
    // The calls of a batch end in any order.
    return this.isAlone ? trees : trees.toSorted();
  }

  /** Stops what the views still read; they stay open until `close`. */
  cancel(): void {
    this.#cancelled = true;
    this.#opening?.stop?.();
    for (const view of this.#open) view.cancel?.();
  }

  /** @throws DOMException where the caller is gone: nothing more is read for it */
  throwIfCancelled(): void {
    if (this.#cancelled) throw new DOMException("the caller is gone", "AbortError");
  }

  close(): void {
    this.#closed = true;
    for (const view of this.#open) view.close();
  }

  #keep(view: ReadView): ReadView {
    // A view may arrive after the last call of the request has settled: it must not stay open.
    if (this.#closed) view.close();
    else this.#open.push(view);
    // A timeout or a disconnect only cancels. The views are closed once the last call has settled.
    if (this.#cancelled) view.cancel?.();
    return view;
  }
}

/** Whether the call had waited, as long as it may, for a place or a session: its batch does not wait again. */
const hasWaited = (error: unknown): boolean =>
  isLamplightError(error, "STORE__BUSY") || isLamplightError(error, "SERVER__BUSY");
