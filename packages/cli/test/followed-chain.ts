// A chain that moves, told over real gRPC, and a store of PostgreSQL that was loaded with its beginning.
import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import type { TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { expect } from "vitest";
import { runCommand, startCommand } from "./run-command.ts";

/** A process of ours, with the lines it has said. */
export interface Running {
  readonly child: ChildProcess;
  /** Lines of stderr, or of the log. */
  readonly said: string[];
}

export class FollowedChain {
  readonly simulation: ChainSimulation;
  readonly upstream: SimulatedYellowstone;
  readonly postgres: TestPostgres;
  readonly store: string;
  #upstreamUrl = "";
  readonly #children: ChildProcess[] = [];

  private constructor(postgres: TestPostgres, schema: string, seed: number) {
    this.postgres = postgres;
    this.store = `${postgres.url}?schema=${schema}`;
    this.simulation = new ChainSimulation({ seed, isStormy: true });
    this.upstream = new SimulatedYellowstone({ replay: (from) => this.simulation.replay(from) });
  }

  static async start(postgres: TestPostgres, schema: string, seed: number): Promise<FollowedChain> {
    const chain = new FollowedChain(postgres, schema, seed);
    chain.#upstreamUrl = await chain.upstream.start();
    const store = await openPostgresStore({ url: chain.store, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    const { accounts, slot, blockhash } = chain.simulation.genesis;
    await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
    await store.close();
    return chain;
  }

  stop(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    this.upstream.stop();
  }

  follow(...more: readonly string[]): Running {
    return this.#run("stderr", ["follow", "yellowstone", this.#upstreamUrl, "--store", this.store, ...more]);
  }

  serve(...more: readonly string[]): Running {
    return this.#run("stdout", ["serve", "--store", this.store, "--key", "k", "--port", "0", ...more]);
  }

  #run(stream: "stdout" | "stderr", args: readonly string[]): Running {
    const child = startCommand(args);
    this.#children.push(child);
    const said: string[] = [];
    createInterface(child[stream]!).on("line", (line) => said.push(line));
    child[stream === "stdout" ? "stderr" : "stdout"]!.resume();
    return { child, said };
  }

  async rootedSlot(): Promise<Slot> {
    const reader = await openPostgresReader({ url: this.store });
    try {
      const view = await reader.openView("finalized");
      view.close();
      return view.slot;
    } finally {
      reader.close();
    }
  }

  /** Assets, accounts and watermark are as after applying the final chain slot by slot. */
  async expectCleanStore(): Promise<void> {
    const store = await openPostgresStore({ url: this.store, mode: "write" });
    const clean = await openPostgresStore({ url: `${this.store}_clean`, mode: "write" });
    const { accounts, slot, blockhash } = this.simulation.genesis;
    await createIndexer(clean).applyAccounts(accounts, { slot, blockhash });
    for (const block of this.simulation.pathTo(this.simulation.finalized)!) {
      await createIndexer(clean).apply({
        accounts: lastWrites(block),
        transactions: block.transactions,
        watermark: { slot: block.slot, blockhash: block.blockhash },
      });
    }
    for (const read of [
      (one: typeof store) => one.readWatermark(),
      (one: typeof store) => one.readAccountPage(null, 1000),
      async (one: typeof store) =>
        (await one.readAssetPage(0, 1000))
          .map(({ document, extras, createdSlot, updatedSlot }) =>
            JSON.stringify([document, extras, createdSlot, updatedSlot]),
          )
          .toSorted(),
    ])
      expect(await read(store)).toEqual(await read(clean));
    await store.close();
    await clean.close();
    const { exitCode, stdout } = await runCommand(["verify", "--store", this.store]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(": sound")]);
  }
}

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Until a line that was not there before `from` matches; the process must live. */
export const untilSaid = async ({ child, said }: Running, pattern: RegExp, from = 0): Promise<string> => {
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
