import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import type { Account, Coverage, FillingProgram, IndexStore, SlotRate } from "@lamplight/core";
import type { ForkOverlay } from "@lamplight/indexer";
import { FillReader, type RpcSource } from "@lamplight/sources/rpc";
import type { ChangingSource, OpenedProgram } from "./changing-source.ts";
import { stateOf } from "./coverage-steps.ts";
import { knownChainOf } from "./known-chain.ts";

interface ScannedProgramsOptions {
  readonly source: Pick<RpcSource, "subscribe" | "asked" | "assertRoom">;
  /** The accounts that were read, by program, until they are in the store. The source starts again from them. */
  readonly read: NewAccounts;
  /** URL of the node. */
  readonly url: string;
  readonly store: IndexStore;
  readonly overlay: ForkOverlay;
  readonly signal: AbortSignal;
  readonly rate: SlotRate;
  readonly inform: (line: string) => void;
}

/** Accounts by program. */
export type NewAccounts = Map<string, readonly Account[]>;

/** Accounts that are given on before other work gets a turn. */
const ACCOUNTS_PER_TURN = 500;

/**
 * The programs of a store that follows an RPC node. A program that is added is read first, with the scan that each later round
 * makes. It is followed from there: a later round gives what differs from these accounts. A program that the node does not
 * list is never followed.
 */
export class ScannedPrograms implements ChangingSource {
  readonly #options: ScannedProgramsOptions;
  readonly #reader: FillReader;
  /** The source was last asked for these. */
  #targets: RpcSource["asked"];

  constructor(options: ScannedProgramsOptions) {
    this.#options = options;
    this.#targets = options.source.asked;
    this.#reader = new FillReader(options);
  }

  get isStarted(): boolean {
    return this.#options.source.asked === this.#targets;
  }

  follow(coverage: Coverage): boolean {
    const { source, read } = this.#options;
    const added = stateOf(coverage).filling.map(({ program }) => program);
    for (const program of read.keys()) if (!added.includes(program)) read.delete(program);
    const { programs: covered, trees = [] } = coverage.kind === "filtered" ? coverage : this.#targets;
    const programs = [...covered, ...added.filter((program) => read.has(program))];
    if (areSame(programs, this.#targets.programs) && areSame(trees, this.#targets.trees)) return false;
    this.#targets = { ...this.#targets, programs, trees };
    source.subscribe(this.#targets);
    return true;
  }

  isReady(program: string): boolean {
    return this.#options.read.has(program);
  }

  async prepare(program: string): Promise<void> {
    const { source, read, store, overlay, inform } = this.#options;
    const base = await overlay.whileIdle(async () => ({
      watermark: await store.readWatermark(),
      chain: await knownChainOf(store),
    }));
    inform(`reading the accounts of program ${program} from the RPC node`);
    const accounts = await this.#reader.readAtOnce(program, base);
    source.assertRoom(accounts.length);
    read.set(program, accounts);
  }

  async read({ program, after }: FillingProgram): Promise<OpenedProgram> {
    const all = this.#options.read.get(program) ?? [];
    const done =
      after === undefined ? 0 : 1 + all.findIndex(({ address }) => encodeAddress(address) === after);
    const accounts = all.slice(done);
    const slot = accounts[0]?.slot ?? 0;
    const batches = async function* () {
      yield { slot, accounts };
    };
    return { count: accounts.length, batches: batches(), close: async () => {} };
  }

  close(): void {
    this.#reader.close();
  }
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.toSorted().join() === others.toSorted().join();

/** All of them, with turns for other work. */
export async function* accountsOf(read: NewAccounts): AsyncGenerator<Account> {
  for (const accounts of read.values())
    for (const [index, account] of accounts.entries()) {
      if (index % ACCOUNTS_PER_TURN === 0) await nextTurn();
      yield account;
    }
}
