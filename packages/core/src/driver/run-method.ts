import { LamplightError } from "@lamplight/errors";
import { turns } from "../budget/turns.ts";
import type { Account } from "../domain/account.ts";
import type { Commitment, Slot } from "../domain/address.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import { encodeZstd } from "../encoding/zstd.ts";
import type { FinishedJson } from "../json/json-bytes.ts";
import type { Call, Method } from "../methods/method.ts";
import type { MethodSettings } from "../methods/method-settings.ts";
import type { Profile } from "../profile/profile.ts";
import type { Step, Steps } from "../methods/steps.ts";
import { type MaybePromise, type ReadView, whenReady } from "../ports/read-view.ts";
import type { DelegatedPage, Read } from "../ports/reads.ts";
import { LISTED_BYTES_MAX } from "../ports/list-limits.ts";
import { ListTooLarge } from "../ports/listed-data.ts";
import { NeedsSnapshot } from "../ports/needs-snapshot.ts";
import { answerTooLarge, CallBudget } from "./call-budget.ts";
import { type CallRequest, LARGE_ACCOUNT_BYTES, type RoundObserver } from "./call-request.ts";
import { coveredView } from "./covered-view.ts";

/** A character takes at most three bytes: shorter texts need no counting. */
const BYTES_PER_CHARACTER_MAX = 3;

/** Members that the parameters of methods have in common. */
interface CommonParams {
  readonly minContextSlot?: number | bigint;
  readonly config?: { readonly commitment?: Commitment; readonly minContextSlot?: number | bigint };
  readonly options?: { readonly minContextSlot?: number | bigint };
}

/**
 * Runs a method over the views of its request. It answers what the method yields, and bounds what the method spends:
 * time of the turn, bytes, and the caller's patience. The result is there at once where nothing had to be waited for.
 *
 * @throws LamplightError what the method or the store refuses with
 */
export const runMethod = <Result>(
  name: string,
  method: Method<never, Result>,
  params: unknown,
  request: CallRequest,
): MaybePromise<FinishedJson<Result>> =>
  new RunningCall(name, method as Method<unknown, Result>, params as CommonParams, request).answer();

class RunningCall<Result> implements Call {
  readonly #name: string;
  readonly #method: Method<unknown, Result>;
  readonly #params: CommonParams;
  readonly #request: CallRequest;
  readonly #observer: RoundObserver | null;
  /** Null before the first read. */
  #view: ReadView | null = null;
  /** Null before the first part of a long answer. */
  #budget: CallBudget | null = null;
  #parts = 0;
  #wasRestarted = false;
  /** The newest read, or the first one of the newest round; an error names its kind. */
  #asked: Read | null = null;

  constructor(name: string, method: Method<unknown, Result>, params: CommonParams, request: CallRequest) {
    this.#name = name;
    this.#method = method;
    this.#params = params;
    this.#request = request;
    this.#observer = request.roundObserver(name);
  }

  get profile(): Profile {
    return this.#request.profile;
  }

  get settings(): MethodSettings {
    return this.#request.settings;
  }

  get slot(): Slot {
    return this.#view!.slot;
  }

  get coverage(): Coverage {
    return this.#view!.coverage;
  }

  get incompleteTrees(): readonly TreeCoverage[] {
    return this.#view!.incompleteTrees;
  }

  notePartial(): void {
    this.#request.notePartial();
  }

  noteIncompleteTrees(trees: readonly string[]): void {
    this.#request.noteIncompleteTrees(trees);
  }

  /** A batch has no such slot: it would be that of just one of its calls. */
  noteUpdatedSlot(slot: Slot): void {
    if (this.#request.isAlone) this.#request.noteUpdatedSlot(slot);
  }

  noteSlot(slot: Slot): void {
    this.#request.note(slot);
  }

  answer(): MaybePromise<FinishedJson<Result>> {
    const steps = this.#method.steps(this.#params, this);
    try {
      let step = steps.next();
      while (step.done !== true) {
        const taken = this.#take(step.value);
        if (taken instanceof Promise) return this.#answerLater(steps, taken);
        step = steps.next(taken);
      }
      return this.#finished(step.value);
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #answerLater(
    steps: Steps<FinishedJson<Result>>,
    first: Promise<unknown>,
  ): Promise<FinishedJson<Result>> {
    try {
      let step = steps.next(await first);
      while (step.done !== true) {
        const taken = this.#take(step.value);
        step = steps.next(taken instanceof Promise ? await taken : taken);
      }
      return this.#finished(step.value);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #finished(answer: FinishedJson<Result>): FinishedJson<Result> {
    this.#budget?.end();
    assertAnswerFits(answer, this.settings.answerBytesMax);
    return answer;
  }

  /** Runs the method again, on a view with a snapshot, where its view cannot go on without one. */
  #failed(error: unknown): MaybePromise<FinishedJson<Result>> {
    this.#budget?.end();
    if (!(error instanceof NeedsSnapshot) || this.#wasRestarted) throw this.#withRead(error);
    this.#request.throwIfCancelled();
    this.#wasRestarted = true;
    this.#view = null;
    this.#budget = null;
    this.#parts = 0;
    this.#request.restart();
    return this.answer();
  }

  #take(step: Step): MaybePromise<unknown> {
    switch (step.kind) {
      case "open":
        return this.#openFor(null);
      case "pause":
        return this.#pause();
      case "slice":
        for (const bytes of step.sizes) {
          this.#spend().answer(bytes, this.#cheaper);
          this.#parts += 1;
        }
        return this.#pause();
      case "rows":
        return this.#spend().read(step.bytes, () => step.cheaper ?? this.#cheaper());
      case "compress":
        return Promise.all(step.data.map(encodeZstd));
      case "all":
        return this.#readRound(step.reads);
      default:
        // An observer sees a single read as a round of one.
        if (this.#observer !== null) return whenReady(this.#readRound([step]), ([answer]) => answer);
        return this.#read(step);
    }
  }

  #read(asked: Read): MaybePromise<unknown> {
    this.#asked = asked;
    if (this.#view !== null) return this.#readFrom(this.#view, asked);
    return whenReady(this.#open([asked]), (view) => this.#readFrom(this.#opened(view), asked));
  }

  #readFrom(view: ReadView, asked: Read): MaybePromise<unknown> {
    this.#request.throwIfCancelled();
    switch (asked.kind) {
      case "account":
        return whenReady(view.read(asked), (account) => this.#noted(account, dataBytes(account)));
      case "accountWithMint":
        return whenReady(view.read(asked), ({ account, mint }) => ({
          account: this.#noted(account, dataBytes(account)),
          mint: this.#noted(mint, dataBytes(mint)),
        }));
      case "accounts":
        return this.#list(() => view.read(asked), sumOf);
      case "moreDelegated":
        return this.#list(() => view.read(asked), sumOf);
      case "delegated":
        return this.#list(() => view.read(asked), bytesOfDelegated);
      default:
        return view.read(asked);
    }
  }

  /** A list of accounts. Where the store refuses it, it has read as much as a list may hold. */
  #list<Answer>(ask: () => MaybePromise<Answer>, bytesOf: (answer: Answer) => number): MaybePromise<Answer> {
    const noted = (answer: Answer): Answer => this.#noted(answer, bytesOf(answer));
    const refused = (error: unknown): never => {
      if (error instanceof ListTooLarge) this.#noted(null, LISTED_BYTES_MAX);
      throw error;
    };
    try {
      const asked = ask();
      return asked instanceof Promise ? asked.then(noted, refused) : noted(asked);
    } catch (error) {
      return refused(error);
    }
  }

  /** Whole accounts were read, for an answer that may have few of their bytes. */
  #noted<Answer>(answer: Answer, bytes: number): Answer {
    if (bytes >= LARGE_ACCOUNT_BYTES) this.#request.noteLargeRead(this.#name, bytes);
    return answer;
  }

  /** The reads go to the view one after another, before any answer is waited for. */
  #readRound(reads: readonly Read[]): MaybePromise<readonly unknown[]> {
    this.#asked = reads[0] ?? null;
    const answered = this.#observer?.(reads);
    return whenReady(this.#openFor(reads), (view) =>
      whenReady(allOf(reads.map((asked) => () => this.#readFrom(view, asked))), (answers) => {
        answered?.(answers);
        return answers;
      }),
    );
  }

  #openFor(first: readonly Read[] | null): MaybePromise<ReadView> {
    return this.#view ?? whenReady(this.#open(first), (view) => this.#opened(view));
  }

  #open(reads: readonly Read[] | null): MaybePromise<ReadView> {
    const request = this.#request;
    const commitment =
      this.#method.readsAt === "assets"
        ? request.settings.assetCommitment
        : (this.#params.config?.commitment ?? "finalized");
    if (reads === null || !request.isAlone || this.#wasRestarted) return request.view(commitment);
    return request.view(commitment, { reads, stop: null });
  }

  #opened(view: ReadView): ReadView {
    this.#view = coveredView(view);
    const { minContextSlot, config, options } = this.#params;
    assertReached(view, minContextSlot);
    assertReached(view, config?.minContextSlot);
    assertReached(view, options?.minContextSlot);
    return this.#view;
  }

  #pause(): MaybePromise<void> {
    if (!turns.isUsedUp()) return undefined;
    return this.#nextTurn();
  }

  async #nextTurn(): Promise<void> {
    await turns.next();
    this.#request.throwIfCancelled();
  }

  #spend(): CallBudget {
    this.#budget ??= new CallBudget(this.#request);
    return this.#budget;
  }

  /** The stack of an error does not show which read of which method it ended. */
  #withRead(error: unknown): unknown {
    if (this.#asked !== null && error instanceof Error && Object.isExtensible(error))
      Object.assign(error, { method: this.#name, read: this.#asked.kind });
    return error;
  }

  readonly #cheaper = (): string => this.#method.cheaper?.(this.#parts) ?? "ask for less per call";
}

const dataBytes = (account: Account | null): number => account?.data.length ?? 0;

const sumOf = (accounts: readonly (Account | null)[]): number =>
  accounts.reduce((bytes, account) => bytes + dataBytes(account), 0);

/** The mint that was asked for is among the mints that accounts name. Without accounts, any account may stand in its place. */
const bytesOfDelegated = ({ mint, accounts, mints }: DelegatedPage): number =>
  sumOf(accounts) + sumOf(mints === null || mints.length === 0 ? [mint] : mints);

/** @throws LamplightError `QUERY__OVER_BUDGET` where a finished answer is over the bound */
const assertAnswerFits = (answer: FinishedJson<unknown>, answerBytesMax: number): void => {
  if (answer.length * BYTES_PER_CHARACTER_MAX <= answerBytesMax) return;
  const bytes = typeof answer === "string" ? Buffer.byteLength(answer) : answer.length;
  if (bytes > answerBytesMax) throw answerTooLarge(answerBytesMax, "ask for less per call");
};

/** @throws LamplightError `ACCOUNT__SLOT_NOT_REACHED` when the view is older than the caller asks for */
const assertReached = (view: ReadView, minContextSlot: number | bigint | undefined): void => {
  if (minContextSlot !== undefined && BigInt(minContextSlot) > BigInt(view.slot))
    throw new LamplightError("ACCOUNT__SLOT_NOT_REACHED", { contextSlot: view.slot });
};

/** All of them, where one waits together with the others. Each is started before any is waited for. */
const allOf = (starts: readonly (() => MaybePromise<unknown>)[]): MaybePromise<readonly unknown[]> => {
  const started = starts.map((one) => {
    try {
      return one();
    } catch (error) {
      return Promise.reject(error);
    }
  });
  return started.some((one) => one instanceof Promise) ? Promise.all(started) : started;
};
