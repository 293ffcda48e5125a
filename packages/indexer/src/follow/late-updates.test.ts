// A server that tells the end of a slot before its last updates, as older ones may: on many chains, with forks and
// statuses in between, the store ends as after a clean run all the same.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainEvent, IndexStore } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random } from "@lamplight/devchain";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { indexContent } from "../../test/index-content.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { ChainFollower } from "./chain-follower.ts";

const firstSeed = Number(process.env["LAMPLIGHT_LATE_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_LATE_SEEDS"] ?? 10);
const STEPS = 30;
/** In percent, of the updates of a slot. */
const LATE = 20;

/** Puts some updates of each slot behind its end. */
const delayed = (events: readonly ChainEvent[], random: Random): readonly ChainEvent[] => {
  const late = new Map<number, ChainEvent[]>();
  return events.flatMap((event) => {
    if (event.kind === "slot" && event.status === "complete") return [event, ...(late.get(event.slot) ?? [])];
    const slot =
      event.kind === "account"
        ? event.account.slot
        : event.kind === "transaction"
          ? event.transaction.slot
          : null;
    if (slot === null || !random.percent(LATE)) return [event];
    late.set(slot, [...(late.get(slot) ?? []), event]);
    return [];
  });
};

test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
  "seed %i: what comes after the end of its slot is not lost",
  async (seed) => {
    onTestFailed(() =>
      console.error(
        `repeat with: LAMPLIGHT_LATE_SEED=${seed} LAMPLIGHT_LATE_SEEDS=1 npx vitest run packages/indexer/src/follow/late-updates.test.ts`,
      ),
    );
    const random = new Random(seed, 440, 0);
    const simulation = new ChainSimulation({ seed, isStormy: true });
    const { genesis } = simulation;
    const folder = mkdtempSync(join(tmpdir(), "lamplight-late-"));
    const open = async (name: string): Promise<IndexStore> => {
      const store = openSqliteStore({ file: join(folder, name), mode: "write" });
      await store.writeCoverage({ kind: "whole" });
      await createIndexer(store).applyAccounts(genesis.accounts, genesis);
      return store;
    };
    const [store, clean] = [await open("index.db"), await open("clean.db")];
    const reader = openSqliteReader({ file: join(folder, "index.db") });
    onTestFinished(async () => {
      reader.close();
      await store.close();
      await clean.close();
      rmSync(folder, { recursive: true });
    });
    const overlay = await ForkOverlay.open({ store, readable: reader, closeFromTransactions: false });
    const follower = new ChainFollower({ overlay });
    for (let step = 0; step < STEPS; step += 1) {
      for (const event of delayed(simulation.next(), random)) await follower.take(event);
    }
    for (const event of simulation.settle()) await follower.take(event);
    expect(overlay.state.rootedSlot).toBe(simulation.finalized);
    expect(follower.state.replacedSlots).toBeGreaterThan(0);
    for (const block of simulation.pathTo(simulation.finalized)!) {
      const { slot, blockhash, transactions } = block;
      const watermark = { slot, blockhash };
      await createIndexer(clean).apply({ accounts: lastWrites(block), transactions, watermark });
    }
    expect(await indexContent(store)).toBe(await indexContent(clean));
    expect(await store.readWatermark()).toEqual(await clean.readWatermark());
  },
);
