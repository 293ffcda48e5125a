import type { Commitment, MaybePromise, Slot } from "../domain/address.ts";
import { MoreReads, type OnlyRead } from "../ports/only-read.ts";
import type { ViewSource, ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";
import type { JsonText } from "../json/json-text.ts";
import { writeJson } from "../json/write-json.ts";
import { LargestAccountsCache } from "./largest-accounts-cache.ts";

/** The two styles of answers; they differ only in what `profile.ts` has. */
export type Profile = "spec" | "agave";

/** Settings of the operator that methods read. */
export interface MethodSettings {
  /** Answered as `context.apiVersion`, as JSON text. */
  readonly apiVersionText: JsonText<string>;
  /** Asset methods have no commitment parameter; they read at this one. */
  readonly assetCommitment: Commitment;
  readonly largestAccountsCache: LargestAccountsCache;
  /** Bytes of the largest answer to one call. */
  readonly answerBytesMax: number;
}

/**
 * More than twice an account of 10 MiB in base64 (13.4 MiB). A thousand assets with documents of the usual size take
 * 3 MiB.
 */
export const ANSWER_BYTES_MAX = 32 << 20;

export interface MethodSettingsOptions {
  /** Our own package version. */
  readonly apiVersion: string;
  /** Default `confirmed`; a store without a live source has one level anyway. */
  readonly assetCommitment?: Commitment;
  /** 0 = off (default): an exact answer costs microseconds. The spec allows up to 7200. */
  readonly largestAccountsCacheSeconds?: number;
  /** Default 32 MiB. */
  readonly answerBytesMax?: number;
}

export const createMethodSettings = (options: MethodSettingsOptions): MethodSettings => ({
  apiVersionText: writeJson<string>(options.apiVersion),
  assetCommitment: options.assetCommitment ?? "confirmed",
  largestAccountsCache: new LargestAccountsCache(options.largestAccountsCacheSeconds ?? 0),
  answerBytesMax: options.answerBytesMax ?? ANSWER_BYTES_MAX,
});

/** The views of one request or batch: one per commitment, opened on first use, closed together. */
export class RequestViews {
  readonly #source: ViewSource;
  /** One to three: searching a list this short costs less than hashing. */
  readonly #asked: { readonly commitment: Commitment; readonly view: MaybePromise<ReadView> }[] = [];
  readonly #open: ReadView[] = [];
  /** Slots of answers that were kept from earlier requests; nearly always none. */
  readonly #noted: Slot[] = [];
  #isPartial = false;
  #updatedSlot: Slot | null = null;
  /** Made when the first tree is noted: nearly every store is complete. */
  #incompleteTrees: Set<string> | null = null;
  /** What `readOnce` reads. */
  #only: OnlyRead | null = null;
  #closed = false;
  #cancelled = false;

  constructor(source: ViewSource) {
    this.#source = source;
  }

  view(commitment: Commitment): MaybePromise<ReadView> {
    const known = this.#asked.find((asked) => asked.commitment === commitment);
    if (known !== undefined) return known.view;
    const opening = this.#source.openView(commitment);
    const view =
      opening instanceof Promise ? opening.then((opened) => this.#keep(opened)) : this.#keep(opening);
    this.#asked.push({ commitment, view });
    return view;
  }

  /**
   * For a call that shares its views with no other call. It first reads on a view that holds only what was named. If
   * the call needs more, it runs again on a complete view.
   */
  readOnce<Result>(
    commitment: Commitment,
    only: OnlyRead,
    read: (view: ReadView) => MaybePromise<Result>,
  ): MaybePromise<Result> {
    const again = (error: unknown): MaybePromise<Result> => {
      if (!(error instanceof MoreReads)) throw error;
      this.#restartSource();
      return whenReady(this.view(commitment), read);
    };
    this.#only = only;
    try {
      const answer = whenReady(this.#source.openView(commitment, only), (view) => read(this.#keep(view)));
      return answer instanceof Promise ? answer.catch(again) : answer;
    } catch (error) {
      return again(error);
    }
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
    return this.#incompleteTrees === null ? [] : [...this.#incompleteTrees];
  }

  /** Stops what the views still read; they stay open until `close`. */
  cancel(): void {
    this.#cancelled = true;
    this.#only?.stop?.();
    for (const view of this.#open) view.cancel?.();
  }

  close(): void {
    this.#closed = true;
    for (const view of this.#open) view.close();
  }

  #restartSource(): void {
    for (const view of this.#open.splice(0)) view.close();
    this.#isPartial = false;
    this.#updatedSlot = null;
    this.#incompleteTrees = null;
  }

  #keep(view: ReadView): ReadView {
    // A view that arrives after the request was given up (timeout, disconnect) must not stay open.
    if (this.#closed) view.close();
    else this.#open.push(view);
    if (this.#cancelled) view.cancel?.();
    return view;
  }
}

/** What a method gets in addition to its parameters. */
export interface CallContext {
  readonly views: RequestViews;
  readonly profile: Profile;
  readonly settings: MethodSettings;
  /** Whether no other call reads through `views`; absent = others may. */
  readonly isAlone?: boolean;
  /** Aborted when the client disconnects or the call takes too long. */
  readonly signal?: AbortSignal;
  /** Absent = they are not bounded together. */
  readonly unfinished?: UnfinishedAnswers;
}

/** Memory that the answers of all callers take while they are built. */
export interface UnfinishedAnswers {
  /**
   * @param own - bytes of this answer so far; a single answer may use the whole bound
   * @throws LamplightError `SERVER__BUSY` where all answers together are over their bound; the bytes are counted also then
   */
  add(bytes: number, own: number): void;
  /** The answer is finished, or given up. */
  remove(bytes: number): void;
}

/** Reads what a call has named in advance. Calls that share a view read at its slot. */
export const readOnce = <Result>(
  { views, isAlone }: CallContext,
  commitment: Commitment,
  only: OnlyRead,
  read: (view: ReadView) => MaybePromise<Result>,
): MaybePromise<Result> =>
  isAlone === true ? views.readOnce(commitment, only, read) : whenReady(views.view(commitment), read);
