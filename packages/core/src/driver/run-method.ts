import { LamplightError } from "@lamplight/errors";
import { turns } from "../budget/turns.ts";
import type { Commitment, MaybePromise, Slot } from "../domain/address.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import { encodeZstd } from "../encoding/zstd.ts";
import type { FinishedJson } from "../json/json-bytes.ts";
import type { Call, Method } from "../methods/method.ts";
import type { MethodSettings } from "../methods/method-settings.ts";
import type { Profile } from "../methods/profile.ts";
import type { Step, Steps } from "../methods/steps.ts";
import { MoreReads, type OnlyRead } from "../ports/only-read.ts";
import type { ReadView } from "../ports/read-view.ts";
import type { Read } from "../ports/reads.ts";
import { whenReady } from "../ports/when-ready.ts";
import { answerAll, answerRead } from "./answer-read.ts";
import { assertAnswerFits, CallBudget } from "./call-budget.ts";
import type { CallContext } from "./call-context.ts";

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
  method: Method<never, Result>,
  params: unknown,
  context: CallContext,
): MaybePromise<FinishedJson<Result>> =>
  new MethodRun(method as Method<unknown, Result>, params as CommonParams, context).answer();

class MethodRun<Result> implements Call {
  readonly #method: Method<unknown, Result>;
  readonly #params: CommonParams;
  readonly #context: CallContext;
  /** Null before the first read. */
  #view: ReadView | null = null;
  /** Null before the first part of a long answer. */
  #budget: CallBudget | null = null;
  #parts = 0;
  #wasRestarted = false;

  constructor(method: Method<unknown, Result>, params: CommonParams, context: CallContext) {
    this.#method = method;
    this.#params = params;
    this.#context = context;
  }

  get profile(): Profile {
    return this.#context.profile;
  }

  get settings(): MethodSettings {
    return this.#context.settings;
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
    this.#context.views.notePartial();
  }

  noteIncompleteTrees(trees: readonly string[]): void {
    this.#context.views.noteIncompleteTrees(trees);
  }

  /** A batch has no such slot: it would be that of just one of its calls. */
  noteUpdatedSlot(slot: Slot): void {
    if (this.#context.isAlone === true) this.#context.views.noteUpdatedSlot(slot);
  }

  noteSlot(slot: Slot): void {
    this.#context.views.note(slot);
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

  /** Runs the method again, on a view of everything, where the first view could not answer a further read. */
  #failed(error: unknown): MaybePromise<FinishedJson<Result>> {
    this.#budget?.end();
    if (!(error instanceof MoreReads) || this.#wasRestarted) throw error;
    this.#wasRestarted = true;
    this.#view = null;
    this.#budget = null;
    this.#parts = 0;
    this.#context.views.restart();
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
        return this.#spend().read(step.bytes, this.#cheaper);
      case "compress":
        return Promise.all(step.data.map(encodeZstd));
      case "all":
        return this.#readAll(step.reads);
      default:
        // An observer sees a single read as a round of one.
        if (this.#context.onRound !== undefined)
          return whenReady(this.#readAll([step]), ([answer]) => answer);
        return whenReady(this.#openFor(step), (view) => answerRead(view, step, this.#context));
    }
  }

  #readAll(reads: readonly Read[]): MaybePromise<readonly unknown[]> {
    const answered = this.#context.onRound?.(reads);
    return whenReady(this.#openFor(reads[0]!), (view) => {
      const answers = answerAll(view, reads, this.#context);
      return answered === undefined
        ? answers
        : whenReady(answers, (all) => {
            answered(all);
            return all;
          });
    });
  }

  #openFor(first: Read | null): MaybePromise<ReadView> {
    return this.#view ?? whenReady(this.#open(first), (view) => this.#opened(view));
  }

  #open(first: Read | null): MaybePromise<ReadView> {
    const { views, isAlone, settings } = this.#context;
    const { readsAt, isOneRead } = this.#method;
    const commitment =
      readsAt === "assets" ? settings.assetCommitment : (this.#params.config?.commitment ?? "finalized");
    const isOnly =
      first !== null && isAlone === true && !this.#wasRestarted && isOneRead?.(this.#params) === true;
    return isOnly ? views.viewOf(commitment, first as OnlyRead) : views.view(commitment);
  }

  #opened(view: ReadView): ReadView {
    this.#view = view;
    const { minContextSlot, config, options } = this.#params;
    assertReached(view, minContextSlot);
    assertReached(view, config?.minContextSlot);
    assertReached(view, options?.minContextSlot);
    return view;
  }

  #pause(): MaybePromise<void> {
    if (!turns.isUsedUp()) return undefined;
    return turns.next().then(() => this.#context.signal?.throwIfAborted());
  }

  #spend(): CallBudget {
    this.#budget ??= new CallBudget(this.#context);
    return this.#budget;
  }

  readonly #cheaper = (): string => this.#method.cheaper?.(this.#parts) ?? "ask for less per call";
}

/** @throws LamplightError `ACCOUNT__SLOT_NOT_REACHED` when the view is older than the caller asks for */
const assertReached = (view: ReadView, minContextSlot: number | bigint | undefined): void => {
  if (minContextSlot !== undefined && BigInt(minContextSlot) > BigInt(view.slot))
    throw new LamplightError("ACCOUNT__SLOT_NOT_REACHED", { contextSlot: view.slot });
};
