// A chain that moves, reported over real gRPC, and a store of either engine that was loaded with its beginning.
import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import type { IndexStore, Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites, type SimulatedBlock } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { expect } from "vitest";
import { runCommand, startCommand } from "./run-command.ts";
import { storeRows } from "./store-rows.ts";
import { until } from "./until.ts";

/** A process of ours, with the lines it has said. */
export interface Running {
  readonly child: ChildProcess;
  /** Lines of stderr, or of the log. */
  readonly said: string[];
}

export interface FollowedChainOptions {
  /** URL of the store that is followed into. */
  readonly store: string;
  /** URL of a store that is filled slot by slot, to hold the other one against. */
  readonly clean: string;
  readonly seed: number;
  /** Programs that the store covers, base58 text; default: the whole chain. */
  readonly programs?: readonly string[];
}

const token = "secret";

export class FollowedChain {
  readonly simulation: ChainSimulation;
  readonly upstream: SimulatedYellowstone;
  readonly store: string;
  readonly upstreamUrl: string;
  readonly #cleanUrl: string;
  #clean: IndexStore | null = null;
  #cleanSlot: Slot;
  readonly #children: ChildProcess[] = [];
  readonly #restored: FollowedChain[] = [];
  /** Lines about stored assets that differ. */
  readonly #differing: string[] = [];

  private constructor(
    { store, clean }: Pick<FollowedChainOptions, "store" | "clean">,
    parts: Pick<FollowedChain, "simulation" | "upstream" | "upstreamUrl">,
  ) {
    this.store = store;
    this.#cleanUrl = clean;
    this.simulation = parts.simulation;
    this.#cleanSlot = parts.simulation.genesis.slot;
    this.upstream = parts.upstream;
    this.upstreamUrl = parts.upstreamUrl;
  }

  static async start(options: FollowedChainOptions): Promise<FollowedChain> {
    const simulation = new ChainSimulation({ seed: options.seed, isChaotic: true });
    const upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from), token });
    const chain = new FollowedChain(options, { simulation, upstream, upstreamUrl: await upstream.start() });
    const store = await chain.#openWithGenesis(chain.store, options.programs);
    await store.close();
    return chain;
  }

  /** Follows the same chain and upstream into another store, which was restored from a backup. It ends with this one. */
  restoredTo(store: string, clean: string): FollowedChain {
    const { simulation, upstream, upstreamUrl } = this;
    const restored = new FollowedChain({ store, clean }, { simulation, upstream, upstreamUrl });
    this.#restored.push(restored);
    return restored;
  }

  /** @throws where a sample of a store that is followed was not what its accounts make */
  async stop(): Promise<void> {
    for (const restored of this.#restored) await restored.stop();
    for (const child of this.#children) child.kill("SIGKILL");
    this.upstream.stop();
    await this.#clean?.close();
    expect(this.#differing).toEqual([]);
  }

  follow(...more: readonly string[]): Running {
    return this.#run("stderr", ["follow", "yellowstone", this.upstreamUrl, "--store", this.store, ...more]);
  }

  serve(...more: readonly string[]): Running {
    return this.#run("stdout", ["serve", "--store", this.store, "--key", "k", "--port", "0", ...more]);
  }

  /** One process that follows and serves. */
  serveAndFollow(...more: readonly string[]): Running {
    return this.serve("--follow", `yellowstone=${this.upstreamUrl}`, ...more);
  }

  #run(stream: "stdout" | "stderr", args: readonly string[]): Running {
    const child = startCommand(args, { LAMPLIGHT_YELLOWSTONE_TOKEN: token });
    this.#children.push(child);
    const said: string[] = [];
    createInterface(child[stream]!).on("line", (line) => {
      said.push(line);
      if (line.includes("is not what its accounts make")) this.#differing.push(line);
    });
    child[stream === "stdout" ? "stderr" : "stdout"]!.resume();
    return { child, said };
  }

  /** Reports what comes next on the chain every so many milliseconds, until the result is called. */
  emitOn(everyMs: number): () => Promise<void> {
    const stopping = new AbortController();
    const emitted = (async () => {
      while (!stopping.signal.aborted) {
        this.upstream.emit(this.simulation.next());
        await sleep(everyMs);
      }
    })();
    return () => {
      stopping.abort();
      return emitted;
    };
  }

  async finalizedSlot(): Promise<Slot> {
    const reader = await openStoreForReading(this.store);
    try {
      const view = await reader.openView("finalized");
      view.close();
      return view.slot;
    } finally {
      reader.close();
    }
  }

  /**
   * The store is, row for row, what applying the chain slot by slot makes up to the very slot it says it is at,
   * and sound in itself: tables, assets and search agree. No one may be writing it.
   */
  async expectCleanStore(): Promise<void> {
    const finalizedSlot = await this.finalizedSlot();
    expect(finalizedSlot).toBeGreaterThanOrEqual(this.#cleanSlot);
    const clean = (this.#clean ??= await this.#openWithGenesis(this.#cleanUrl));
    for (const block of this.simulation.pathTo(finalizedSlot, this.#cleanSlot)!)
      await applyBlock(clean, block);
    this.#cleanSlot = finalizedSlot;
    expect(await storeRows(this.store)).toEqual(await storeRows(this.#cleanUrl));
    await this.expectSound();
  }

  /** Tables, assets and search of the store agree. */
  async expectSound(): Promise<void> {
    const { exitCode, stdout } = await runCommand(["verify", "--store", this.store]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(": sound")]);
  }

  async #openWithGenesis(url: string, programs?: readonly string[]): Promise<IndexStore> {
    const store = await openStoreForWriting(url, { create: true });
    await store.writeCoverage(
      programs === undefined
        ? { kind: "whole" }
        : { kind: "filtered", programs, owners: [], mints: [], collections: [] },
    );
    const { accounts, slot, blockhash } = this.simulation.genesis;
    const covered = accounts.filter(
      ({ programOwner }) => programs?.includes(encodeAddress(programOwner)) ?? true,
    );
    await createIndexer(store).applyAccounts(covered, { slot, blockhash });
    return store;
  }
}

const applyBlock = async (store: IndexStore, block: SimulatedBlock): Promise<void> => {
  const { slot, blockhash, transactions } = block;
  const watermark = { slot, blockhash };
  await createIndexer(store).apply({ accounts: lastWrites(block), transactions, watermark });
};

/** Until a line that was not there before `from` matches; the process must live. */
export const untilLogged = async ({ child, said }: Running, pattern: RegExp, from = 0): Promise<string> => {
  let line: string | undefined;
  await until(() => {
    line = said.slice(from).find((one) => pattern.test(one));
    if (line === undefined && (child.exitCode !== null || child.signalCode !== null)) {
      throw new Error(`it ended (${child.exitCode ?? child.signalCode}) and said: ${said.join("\n")}`);
    }
    return line !== undefined;
  });
  return line!;
};

export const kill = async ({ child }: Running): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
};
