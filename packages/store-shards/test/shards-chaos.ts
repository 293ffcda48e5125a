import { setTimeout as sleep } from "node:timers/promises";
import type { IndexStore, ReadView, Slot, ViewSource } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random, type SimulatedBlock } from "@lamplight/devchain";
import { createIndexer, verifyAssets } from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { answerOver, ChainModel } from "../../indexer/test/chain-model.ts";
import { randomCall } from "../../indexer/test/random-call.ts";
import { LastLook } from "../src/reader/last-look.ts";
import { openShardsReaderWith, type ShardsReader } from "../src/reader/open-shards-reader.ts";
import { HeldShardViews } from "../src/reader/shard-views.ts";
import { openShardsStoreWith } from "../src/writer/open-shards-store.ts";
import type { SettlerOptions } from "../src/writer/settler.ts";
import { FreshShardViews } from "./fresh-shard-views.ts";

export interface ChaosOptions {
  readonly url: string;
  readonly seed: number;
  /** Ends after so many answers. */
  readonly answers: number;
  readonly holdBackMs: number;
  /** Views are held up to so long. */
  readonly heldMs: number;
  /** This is broken on purpose, to show that the test notices it. */
  readonly broken?: "no last look" | "rows before started";
  /** Ends as soon as a result, and not an error, is wrong. */
  readonly stopsAtMixed?: boolean;
}

export interface ChaosResult {
  readonly answers: number;
  /** Answers that are not those of the slot of their view, with what was asked. */
  readonly wrong: readonly string[];
  /** How many of these are results: of no slot, or of another one. */
  readonly mixed: number;
  /** Calls that were refused because newer rows had started. */
  readonly refused: number;
  readonly cuts: number;
  readonly slots: number;
  /** Assets of the model that an index which followed the store does not have, or has too much. */
  readonly lostAssets: number;
  readonly problems: readonly string[];
}

/** Views at once; more where many answers are asked for. */
const READERS = 8;
const READERS_MAX = 16;
const MANY_ANSWERS = 5000;
/** Milliseconds by which commits of two shards are apart at most. */
const APART_MS = 100;
const BLOCK_MS = 60;
const CUT_PERCENT = 4;
/** Every run has a cut, unless it is broken on purpose. */
const FIRST_CUT_SLOT = 6;

/** A writer that is cut off, shards that commit apart, and readers that hold views: each answer against a model. */
export class ShardsChaos {
  readonly #options: ChaosOptions;
  readonly #random: Random;
  readonly #simulation: ChainSimulation;
  readonly #model: ChainModel;
  readonly #wrong: string[] = [];
  #answers = 0;
  #mixed = 0;
  #refused = 0;
  #cuts = 0;
  #slots = 0;
  #isCut = false;
  #store!: IndexStore;
  /** The newest slot that was committed. */
  #newest: Slot;

  constructor(options: ChaosOptions) {
    this.#options = options;
    this.#random = new Random(options.seed, 300, 0);
    this.#simulation = new ChainSimulation({ seed: options.seed });
    this.#model = new ChainModel(this.#simulation);
    this.#newest = this.#simulation.genesis.slot;
  }

  async run(): Promise<ChaosResult> {
    await this.#open();
    const { genesis } = this.#simulation;
    await this.#store.writeCoverage({ kind: "whole" });
    await createIndexer(this.#store).applyAccounts(genesis.accounts, genesis);
    const fresh = await this.#openReader(true);
    const held = await this.#openReader(false);
    const life = await startSearchLife({ viewSource: held, file: null });
    await life.filled;
    try {
      const sources = [fresh, held, life.viewSource];
      await Promise.all([
        this.#write(),
        ...Array.from({ length: this.#readers }, (_, index) => this.#read(sources[index % 3]!, index)),
      ]);
      return await this.#finish(life);
    } finally {
      await life.close();
      fresh.close();
      held.close();
      await this.#store.close();
    }
  }

  get #readers(): number {
    return this.#options.answers > MANY_ANSWERS ? READERS_MAX : READERS;
  }

  get #isDone(): boolean {
    return this.#answers >= this.#options.answers || (this.#options.stopsAtMixed === true && this.#mixed > 0);
  }

  async #open(): Promise<void> {
    this.#isCut = false;
    const { url, holdBackMs } = this.#options;
    this.#store = await openShardsStoreWith({ url, mode: "write", holdBackMs }, (settling) =>
      this.#disturbed(settling),
    );
  }

  #openReader(isFresh: boolean): Promise<ShardsReader> {
    return openShardsReaderWith({ url: this.#options.url, sessionsMax: 24 }, (parts) => ({
      ...parts,
      openShards: (readers) => {
        if (isFresh) return new FreshShardViews(readers);
        const views = new HeldShardViews(readers);
        // Old snapshots: they are taken now, and read later.
        for (const place of readers.keys()) void views.lend(place, async () => {}).catch(() => {});
        return views;
      },
      ...(this.#options.broken === "no last look" ? { look: new LastLook(async () => 0) } : {}),
      // The number of a shard's rows shows most of what the last look shows, so each is taken out with it.
      ...(this.#options.broken === undefined
        ? {}
        : { expectedRows: ({ settled }) => ({ settled, through: Infinity }) }),
    }));
  }

  /** Commits of the shards are apart, and end half way while the writer is cut off. */
  #disturbed(settling: SettlerOptions): SettlerOptions {
    const { marks, shards } = settling;
    return {
      ...settling,
      shards: shards.map((shard) => ({
        write: async (epoch, rows) => {
          await sleep(this.#random.below(APART_MS));
          if (this.#isCut && this.#random.percent(50)) throw new Error("cut off");
          await shard.write(epoch, rows);
        },
      })),
      ...(this.#options.broken === "rows before started"
        ? {
            marks: {
              begin: async () => {},
              settle: async (number) => {
                await marks.begin(number);
                await marks.settle(number);
              },
              forget: (number) => marks.forget(number),
            },
          }
        : {}),
    };
  }

  async #write(): Promise<void> {
    while (!this.#isDone) {
      this.#simulation.next();
      for (const block of this.#simulation.pathTo(this.#simulation.finalized, this.#newest) ?? []) {
        await this.#commit(block);
        if (this.#isCutDue()) await this.#cut();
        await sleep(BLOCK_MS);
      }
    }
  }

  async #commit(block: SimulatedBlock): Promise<void> {
    const { slot, blockhash, transactions } = block;
    const watermark = { slot, blockhash };
    await createIndexer(this.#store).apply({ accounts: lastWrites(block), transactions, watermark });
    this.#newest = slot;
    this.#slots += 1;
  }

  /** A writer that finds rows above `started` would refuse the shard, so a broken one is not cut off. */
  #isCutDue(): boolean {
    if (this.#options.broken !== undefined) return false;
    return this.#slots === FIRST_CUT_SLOT || this.#random.percent(CUT_PERCENT);
  }

  /** The next writer finds slots that were started and not settled. */
  async #cut(): Promise<void> {
    this.#isCut = true;
    this.#cuts += 1;
    await sleep(this.#random.below(2 * APART_MS));
    await this.#store.close();
    await this.#open();
  }

  async #read(source: ViewSource, index: number): Promise<void> {
    const random = new Random(this.#options.seed, 301 + index, 0);
    while (!this.#isDone) {
      const view = await source.openView("finalized");
      try {
        await this.#readFrom(view, random);
      } finally {
        view.close();
      }
      // A call that opens its view itself may start again.
      await this.#ask(source, null, random);
    }
  }

  async #readFrom(view: ReadView, random: Random): Promise<void> {
    const heldMs = random.below(this.#options.heldMs);
    const calls = random.between(1, 40);
    const source: ViewSource = { openView: () => ({ ...shownView(view), close: () => {} }) };
    for (let call = 0; call < calls && !this.#isDone; call += 1) {
      await sleep(heldMs / calls);
      if (!(await this.#ask(source, view.slot, random))) return;
    }
  }

  /** @param slot - null where the call opens a view itself */
  async #ask(source: ViewSource, slot: Slot | null, random: Random): Promise<boolean> {
    const call = randomCall(random, this.#simulation);
    let at = slot;
    const noting: ViewSource = {
      openView: async (commitment, opening) => {
        const view = await source.openView(commitment, opening);
        at = view.slot;
        return view;
      },
    };
    const options = { assetCommitment: "finalized" } as const;
    const answer = await answerOver(noting, call, options);
    if (answer.includes('"reason":"busy"') || answer.includes("Busy, try again")) {
      this.#refused += 1;
      return false;
    }
    const model = await this.#model.at(at ?? this.#newest);
    const wanted = await answerOver({ openView: () => model.openView() }, call, options);
    this.#answers += 1;
    if (answer === wanted) return true;
    if (!answer.startsWith('{"code"')) this.#mixed += 1;
    this.#wrong.push(
      `at ${at}: ${call.method} ${JSON.stringify(call.params)}: ${answer}, but the model: ${wanted}`,
    );
    return true;
  }

  async #finish(life: SearchLife): Promise<ChaosResult> {
    const problems = [...(await this.#store.checkIntegrity())];
    const { differing } = await verifyAssets(this.#store);
    if (differing > 0) problems.push(`${differing} assets differ from what their accounts derive`);
    await life.catchUp();
    const ids = (await this.#model.at(this.#newest)).assetIds();
    const listed = life.index.existing.size;
    return {
      answers: this.#answers,
      wrong: this.#wrong,
      mixed: this.#mixed,
      refused: this.#refused,
      cuts: this.#cuts,
      slots: this.#slots,
      lostAssets: Math.abs(ids.length - listed),
      problems,
    };
  }
}

/** Members of a view that lie on its class, as an object of their own. */
const shownView = (view: ReadView): ReadView => ({
  slot: view.slot,
  coverage: view.coverage,
  incompleteTrees: view.incompleteTrees,
  terms: view.terms,
  read: (asked) => view.read(asked),
  close: () => view.close(),
});
