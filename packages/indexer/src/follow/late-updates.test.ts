// A server that reports the end of a slot before its last updates, as older ones may: on many chains, with forks and
// statuses in between, the store ends as after a clean run all the same. In the meantime confirmed never goes backwards, and
// each answer is that of a model which was reported as much as the follower was, or as it was at the last word of a slot.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account, ChainEvent, Commitment, IndexStore, Slot, Transaction } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random } from "@lamplight/devchain";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { indexContent } from "../../test/index-content.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { NaiveStore } from "../../test/naive-store.ts";
import { ChainFollower } from "./chain-follower.ts";
import { answerOver } from "../../test/chain-model.ts";
import { type Call, randomCall } from "../../test/random-call.ts";

const firstSeed = Number(process.env["LAMPLIGHT_LATE_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_LATE_SEEDS"] ?? 10);
const STEPS = 30;
/** Percentage of a slot's updates that come late. */
const LATE = 20;
/** Probabilities of these steps after each event, in percent. */
const [CHECK, CATCH_UP] = [4, 25];

/** Puts some updates of each slot behind its end: all of them before anything is final, or dead. */
const delayed = (events: readonly ChainEvent[], random: Random): readonly ChainEvent[] => {
  const held: ChainEvent[] = [];
  let due: ChainEvent[] = [];
  const reported = events.flatMap((event) => {
    if (event.kind === "account" || event.kind === "transaction") {
      if (!random.percent(LATE)) return [event];
      held.push(event);
      return [];
    }
    const isLast = event.kind === "slot" && (event.status === "finalized" || event.status === "dead");
    const before = isLast ? due.splice(0) : [];
    if (event.kind === "slot" && event.status === "complete") {
      due.push(...held.filter((one) => slotOf(one) === event.slot));
      for (const one of due) if (held.includes(one)) held.splice(held.indexOf(one), 1);
    }
    const now = due.filter(() => random.percent(CATCH_UP));
    due = due.filter((one) => !now.includes(one));
    return [...before, event, ...now];
  });
  return [...reported, ...due];
};

const slotOf = (event: ChainEvent): Slot | null => {
  if (event.kind === "account") return event.account.slot;
  return event.kind === "transaction" ? event.transaction.slot : null;
};

interface Content {
  readonly parent: Slot | null;
  readonly blockhash: string | null;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly transactions: ReadonlyMap<string, Transaction>;
}

const nothing: Content = { parent: null, blockhash: null, accounts: new Map(), transactions: new Map() };

/**
 * Updates reported of each slot, at two times: by now, and by the last status of a slot above the finalized one. The
 * statuses `createdBank` and `dead` do not count.
 */
class ReportedContent {
  readonly #now = new Map<Slot, Content>();
  #before: ReadonlyMap<Slot, Content> = new Map();

  note(event: ChainEvent, finalizedSlot: Slot): void {
    if (event.kind === "account") this.#noteAccount(event.account);
    if (event.kind === "transaction") {
      const { slot, signature } = event.transaction;
      const known = this.#of(slot);
      const transactions = new Map(known.transactions).set(signature, event.transaction);
      this.#now.set(slot, { ...known, transactions });
    }
    if (event.kind === "block") {
      const { slot, parent, blockhash } = event;
      this.#now.set(slot, { ...this.#of(slot), parent, blockhash });
    }
    if (event.kind !== "slot") return;
    if (event.status === "dead") this.#now.delete(event.slot);
    const isAnswered =
      event.status !== "createdBank" && event.status !== "dead" && event.slot > finalizedSlot;
    if (isAnswered) this.#before = new Map(this.#now);
  }

  /** A copy of the model at the finalized slot, walked on to a slot: as it was, and as it is. */
  async models(slot: Slot, root: NaiveStore): Promise<readonly NaiveStore[]> {
    return [await walk(root.copy(), this.#before, slot), await walk(root.copy(), this.#now, slot)];
  }

  async moveTo(slot: Slot, root: NaiveStore): Promise<void> {
    await walk(root, this.#now, slot);
  }

  #of(slot: Slot): Content {
    return this.#now.get(slot) ?? nothing;
  }

  #noteAccount(account: Account): void {
    const known = this.#of(account.slot);
    const key = Buffer.from(account.address).toString("hex");
    const other = known.accounts.get(key);
    if (other !== undefined && other.writeVersion > account.writeVersion) return;
    this.#now.set(account.slot, { ...known, accounts: new Map(known.accounts).set(key, account) });
  }
}

const walk = async (
  model: NaiveStore,
  reported: ReadonlyMap<Slot, Content>,
  slot: Slot,
): Promise<NaiveStore> => {
  const path: Slot[] = [];
  for (let at = slot; at > model.slot; at = reported.get(at)!.parent!) path.unshift(at);
  for (const one of path) {
    const { blockhash, accounts, transactions } = reported.get(one)!;
    await createIndexer(model).apply({
      accounts: [...accounts.values()].toSorted((a, b) => a.writeVersion - b.writeVersion),
      transactions: [...transactions.values()].toSorted((a, b) => a.index! - b.index!),
      watermark: { slot: one, blockhash },
    });
  }
  return model;
};

/** The same call, of that commitment where it names one. */
const at = (commitment: Commitment, { method, params }: Call): Call => ({
  method,
  params: JSON.parse(
    JSON.stringify(params).replaceAll(/"commitment":"\w+"/gu, `"commitment":"${commitment}"`),
  ),
});

test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
  "seed %i: what comes after the end of its slot is not lost",
  async (seed) => {
    onTestFailed(() =>
      console.error(
        `repeat with: LAMPLIGHT_LATE_SEED=${seed} LAMPLIGHT_LATE_SEEDS=1 npx vitest run packages/indexer/src/follow/late-updates.test.ts`,
      ),
    );
    const random = new Random(seed, 440, 0);
    const simulation = new ChainSimulation({ seed, isChaotic: true });
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
    const overlay = await ForkOverlay.open({ store, viewSource: reader, closeFromTransactions: false });
    const follower = new ChainFollower({ overlay });
    const reported = new ReportedContent();
    const finalized = new NaiveStore();
    await createIndexer(finalized).applyAccounts(genesis.accounts, genesis);
    let highest = genesis.slot;
    const check = async (): Promise<void> => {
      const { finalizedSlot, confirmedSlot, processedSlot } = overlay.state;
      await reported.moveTo(finalizedSlot, finalized);
      for (const [commitment, slot] of [
        ["confirmed", confirmedSlot],
        ["processed", processedSlot],
      ] as const) {
        const models = await reported.models(slot, finalized);
        for (let asked = 0; asked < 3; asked += 1) {
          const call = at(commitment, randomCall(random, simulation));
          const answer = await answerOver(overlay, call, { assetCommitment: commitment });
          const wanted = await Promise.all(
            models.map((model) => answerOver(model, call, { assetCommitment: commitment })),
          );
          const params = JSON.stringify(call.params);
          expect(wanted, `${call.method} ${params} at ${commitment} ${slot}`).toContain(answer);
        }
      }
    };
    const emit = async (events: readonly ChainEvent[]): Promise<void> => {
      for (const event of events) {
        reported.note(event, overlay.state.finalizedSlot);
        await follower.take(event);
        const { confirmedSlot } = overlay.state;
        expect(confirmedSlot, "confirmed").toBeGreaterThanOrEqual(highest);
        highest = confirmedSlot;
        if (random.percent(CHECK)) await check();
      }
    };
    for (let step = 0; step < STEPS; step += 1) await emit(delayed(simulation.next(), random));
    await emit(simulation.settle());
    expect(overlay.state.finalizedSlot).toBe(simulation.finalized);
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
