import {
  type Coverage,
  type FillingProgram,
  type FilteredCoverage,
  type IndexStore,
  isChangeable,
  parseCoverageRequest,
  type Slot,
  takeRequest,
  writeCoverageRequest,
} from "@lamplight/core";
import type { StageReporter } from "../process/load-stages.ts";
import { isPassing } from "../store/when-store-available.ts";
import type { ChangingSource } from "./changing-source.ts";
import type { LiveChain } from "./connected-source.ts";
import {
  covered,
  type CoverageState,
  gone,
  stateOf,
  withNote,
  withSince,
  withTree,
} from "./coverage-steps.ts";
import { type FillNote, fillProgram } from "./fill-program.ts";
import { removeProgram } from "./remove-program.ts";
import { repeatStep } from "./repeat-step.ts";

export interface CoverageChangesOptions extends LiveChain {
  readonly store: IndexStore;
  readonly source: ChangingSource;
  readonly coverage: Coverage;
  readonly signal: AbortSignal;
  readonly inform: (line: string) => void;
  readonly say: (line: string) => void;
  /** Makes what reports the progress of one run that adds a program. */
  readonly startProgress: () => StageReporter;
}

/**
 * Changes the coverage of a store while it is followed.
 *
 * To add a program: the source is asked for its accounts too, and from one slot on each of their writes is kept. All
 * accounts are read from an RPC node or a ledger snapshot, and added to new slots page by page. Once all are in the store,
 * the program is covered. Until then it is none of the coverage's programs, so what needs it is refused.
 *
 * To drop one: it is refused at once, the source is no longer asked for it, and its rows are removed.
 */
export class CoverageChanges {
  readonly #options: CoverageChangesOptions;
  #coverage: Coverage;
  /** First slot since the source started with what it was last asked for; null = its events are not read yet. */
  #since: Slot | null = null;
  /** What is in the store of the filling that runs. */
  #done: (FillNote & { readonly program: string }) | null = null;
  /** Counts the steps, so that a program that cannot be added does not keep others from it. */
  #turn = 0;
  /** Whether taking a request failed, maybe after the store had committed it. */
  #isUnsure = false;
  readonly #ended: Promise<unknown>;

  constructor(options: CoverageChangesOptions) {
    this.#options = options;
    const { coverage } = options;
    this.#coverage = coverage;
    if (isChangeable(coverage)) this.#take(coverage);
    this.#ended =
      options.store.coverageRequests === undefined || !isChangeable(coverage)
        ? Promise.resolve()
        : Promise.all([this.#repeat(() => this.#takeRequest()), this.#repeat(() => this.#work())]);
  }

  /** The source is asked for this coverage. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  get state(): CoverageState {
    return stateOf(this.#coverage);
  }

  /** The follower calls it when it has processed the start of a source, before any other event of it. */
  noteStart(): void {
    const { source, overlay, follower } = this.#options;
    if (!source.isStarted || this.#since !== null) return;
    // Slots that were reported before may lack accounts, or have too many.
    const { finalizedSlot, processedSlot } = overlay.state;
    this.#since = Math.max(finalizedSlot, processedSlot, follower.state.sourceSlot ?? 0) + 1;
  }

  /** The transactions of a tree are followed, too. */
  followTree(tree: string): Promise<void> {
    return this.#change((coverage) => withTree(coverage, tree));
  }

  /** Resolves once nothing works on the coverage any more; the signal is aborted. */
  async close(): Promise<void> {
    await this.#ended;
    this.#options.source.close();
  }

  #repeat(step: () => Promise<void>): Promise<void> {
    return repeatStep(step, { ...this.#options, failed: "the coverage cannot be changed now" });
  }

  async #takeRequest(): Promise<void> {
    const { overlay, store, inform } = this.#options;
    const requests = store.coverageRequests!;
    await overlay.whileIdle(async () => {
      if (this.#isUnsure) this.#take(await store.readCoverage());
      this.#isUnsure = false;
      const before = this.#coverage;
      const text = await requests.read();
      if (text === null || !isChangeable(before)) return;
      const { coverage, waiting } = takeRequest(before, parseCoverageRequest(text));
      const rest = writeCoverageRequest(waiting);
      if (rest === text) return;
      this.#isUnsure = true;
      const isTaken = await requests.take(text, coverage, rest);
      this.#isUnsure = false;
      if (!isTaken) return;
      this.#take(coverage);
      if (JSON.stringify(coverage) !== JSON.stringify(before))
        inform("the coverage of the store changes, as it was asked for");
    });
    await this.#noteProgress();
  }

  async #noteProgress(): Promise<void> {
    const done = this.#done;
    const known = this.state.filling.find(({ program }) => program === done?.program);
    if (done === null || known === undefined || known.total === null) return;
    // Readers read their settings again for each percent, and not for each page.
    const percent = ({ accounts }: { readonly accounts: number }): number =>
      Math.floor((100 * accounts) / known.total!);
    if (percent(done) !== percent(known))
      await this.#change((coverage) => withNote(coverage, done.program, done));
  }

  /** One step of the first change that can go on. */
  async #work(): Promise<void> {
    const { source } = this.#options;
    const isReady = ({ program }: FillingProgram): boolean => source.isReady(program);
    // A request that is taken while this waits for its turn needs the slots of the next start.
    await this.#change((coverage) =>
      this.#since === null ? coverage : withSince(coverage, this.#since, isReady),
    );
    const { filling, dropping } = this.state;
    const { finalizedSlot } = this.#options.overlay.state;
    const isDue = (one: { readonly since: Slot | null }): boolean =>
      one.since !== null && one.since <= finalizedSlot;
    const dropped = dropping.find(isDue);
    const filled = this.#oneOf(filling.filter(isDue));
    if (dropped !== undefined) await this.#remove(dropped.program);
    else if (filled !== undefined) await this.#fill(filled);
    // A program that was prepared is in memory until it is in the store, so there is one at a time.
    else if (!filling.some(isReady)) await this.#prepare(this.#oneOf(filling)?.program);
  }

  #oneOf(programs: readonly FillingProgram[]): FillingProgram | undefined {
    this.#turn += 1;
    return programs[this.#turn % programs.length];
  }

  async #prepare(program: string | undefined): Promise<void> {
    if (program === undefined) return;
    const { source, overlay } = this.#options;
    await this.#noting(program, async () => {
      await source.prepare(program);
      await overlay.whileIdle(async () => this.#take(this.#coverage));
    });
  }

  /** Notes why a program cannot be added now. */
  async #noting(program: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const problem = (error as Error).message;
      if (!this.#options.signal.aborted && !isPassing(error))
        await this.#change((coverage) => withNote(coverage, program, { ...this.#done, problem }));
      throw error;
    }
  }

  async #fill(filling: FillingProgram): Promise<void> {
    const { overlay, signal, inform, source, startProgress } = this.#options;
    const progress = startProgress();
    const { program, since } = filling;
    const isFilling = (): boolean =>
      this.state.filling.some((one) => one.program === program && one.since === since);
    // Pages of a run that failed may have come in after its end.
    this.#done = null;
    await this.#noting(program, async () => {
      const count = await fillProgram(filling, {
        fill: overlay.fill,
        signal,
        inform,
        progress,
        isFilling,
        read: (after) => source.read(filling, after, progress),
        noteTotal: (total) =>
          this.#change((coverage) => withNote(coverage, program, { total, problem: null })),
        noteDone: (done) => void (this.#done = { program, ...done }),
      });
      if (count === null) return;
      await this.#change((coverage) => covered(coverage, program));
      inform(`program ${program} is covered: ${count} accounts were added`);
    }).finally(() => {
      progress.end();
      this.#done = null;
    });
  }

  async #remove(program: string): Promise<void> {
    const coverage = this.#coverage as FilteredCoverage;
    const count = await removeProgram(program, { ...this.#options, coverage });
    await this.#change((now) => gone(now, program));
    this.#options.inform(`program ${program} is dropped: ${count} accounts were removed`);
  }

  #change(change: (coverage: FilteredCoverage) => FilteredCoverage): Promise<void> {
    const { overlay, store } = this.#options;
    return overlay.whileIdle(async () => {
      const before = this.#coverage as FilteredCoverage;
      const coverage = change(before);
      if (coverage === before) return;
      await store.writeCoverage(coverage);
      this.#take(coverage);
    });
  }

  #take(coverage: Coverage): void {
    this.#coverage = coverage;
    this.#keepClosings();
    if (this.#options.source.follow(coverage)) this.#since = null;
  }

  #keepClosings(): void {
    const { coverage } = this;
    this.#options.overlay.fill.keepsClosings =
      coverage.kind === "filtered" && (coverage.filling ?? []).length > 0;
  }
}
