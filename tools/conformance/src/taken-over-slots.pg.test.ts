// Writers that die while a server reports last updates after the end of their slot: what the dead one heard, or did not,
// and had not shown, the next one has to take from what is reported again. The store ends as after a clean run.

import type { ChainEvent, Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random } from "@lamplight/devchain";
import { ChainFollower, createIndexer, ForkOverlay } from "@lamplight/indexer";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexContent } from "../../../packages/indexer/test/index-content.ts";
import {
  openSharedReader,
  openSharedStore,
  type SharedReader,
  type SharedStore,
} from "../test/shared-store.ts";

const firstSeed = Number(process.env["LAMPLIGHT_TAKEN_SEED"] ?? 1);
const SEEDS_OF_A_RUN = 5;
const seeds = Number(process.env["LAMPLIGHT_TAKEN_SEEDS"] ?? SEEDS_OF_A_RUN);
const STEPS = 30;
/** In percent: of the updates of a slot; and after each of them. */
const [LATE, DEATH] = [20, 4];

/** A writer's process over a store, as far as the store and its slots know one. */
class Writer {
  readonly store: SharedStore;
  readonly overlay: ForkOverlay;
  readonly #reader: SharedReader;
  readonly #follower: ChainFollower;

  private constructor(store: SharedStore, reader: SharedReader, overlay: ForkOverlay) {
    this.store = store;
    this.overlay = overlay;
    this.#reader = reader;
    this.#follower = new ChainFollower({ overlay });
  }

  static async start(url: string): Promise<Writer> {
    const store = await openSharedStore(url);
    const reader = await openSharedReader(url);
    const shared = store;
    const overlay = await ForkOverlay.open({
      store,
      viewSource: reader,
      shared,
      closeFromTransactions: false,
    });
    return new Writer(store, reader, overlay);
  }

  async take(event: ChainEvent): Promise<void> {
    await this.#follower.take(event);
  }

  get replacedSlots(): number {
    return this.#follower.state.replacedSlots;
  }

  async stop(): Promise<void> {
    this.#reader.close();
    await this.store.close();
  }
}

const fill = async (url: string, { genesis }: ChainSimulation): Promise<SharedStore> => {
  const store = await openSharedStore(url);
  await store.writeCoverage({ kind: "whole" });
  const { accounts, slot, blockhash } = genesis;
  await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
  return store;
};

/** Puts some updates right behind the end of their slot. */
const delayed = (events: readonly ChainEvent[], random: Random): readonly ChainEvent[] => {
  const late = events.filter((event) => slotWritten(event) !== null && random.percent(LATE));
  return events.flatMap((event) => {
    if (late.includes(event)) return [];
    const isEnd = event.kind === "slot" && event.status === "complete";
    return isEnd ? [event, ...late.filter((one) => slotWritten(one) === event.slot)] : [event];
  });
};

const slotWritten = (event: ChainEvent): Slot | null => {
  if (event.kind === "account") return event.account.slot;
  return event.kind === "transaction" ? event.transaction.slot : null;
};

describe.each(storePlaces)("over $kind", ({ urlOf }) => {
  describePostgres("slots taken over from a writer that died", () => {
    let server: TestPostgres;
    /** Slots derived again, of all seeds. */
    let replaced = 0;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await server?.stop();
    });

    /** Its connections are gone, and nothing it still knew is. */
    const nextWriter = async (url: string, dead: Writer): Promise<Writer> => {
      await server.cutSessions("lamplight writer");
      await dead.stop();
      return Writer.start(url);
    };

    test("stay as they are where no other update of them comes", async () => {
      const simulation = new ChainSimulation({ seed: 1, isChaotic: false });
      const url = urlOf(server.url, "same");
      await (await fill(url, simulation)).close();
      const first = await Writer.start(url);
      for (let step = 0; step < STEPS; step += 1)
        for (const event of simulation.next()) await first.take(event);
      const { finalizedSlot, unfinalizedSlots, processedSlot } = first.overlay.state;
      expect(unfinalizedSlots).toBeGreaterThan(1);
      const second = await nextWriter(url, first);
      for (const event of simulation.replay(finalizedSlot + 1)) await second.take(event);
      expect(second.overlay.state).toMatchObject({ finalizedSlot, unfinalizedSlots, processedSlot });
      expect(second.replacedSlots).toBe(0);
      await second.stop();
    });

    test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
      "seed %i: lack nothing that is reported again",
      async (seed) => {
        const url = urlOf(server.url, `taken_${seed}`);
        const random = new Random(seed, 520, 0);
        const simulation = new ChainSimulation({ seed, isChaotic: true });
        const clean = await fill(`${server.url}?schema=clean_${seed}`, simulation);
        await (await fill(url, simulation)).close();
        let writer = await Writer.start(url);
        try {
          const emit = async (events: readonly ChainEvent[]): Promise<void> => {
            for (const event of events) {
              await writer.take(event);
              if (slotWritten(event) === null || !random.percent(DEATH)) continue;
              writer = await nextWriter(url, writer);
              // Reported again in its order: nothing comes late by now.
              for (const again of simulation.replay(writer.overlay.state.finalizedSlot + 1))
                await writer.take(again);
              replaced += writer.replacedSlots;
              return;
            }
          };
          for (let step = 0; step < STEPS; step += 1) await emit(delayed(simulation.next(), random));
          for (const event of simulation.settle()) await writer.take(event);
          for (const event of simulation.replay(writer.overlay.state.finalizedSlot + 1))
            await writer.take(event);
          expect(writer.overlay.state.finalizedSlot).toBe(simulation.finalized);
          for (const block of simulation.pathTo(simulation.finalized)!) {
            const { slot, blockhash, transactions } = block;
            const watermark = { slot, blockhash };
            await createIndexer(clean).apply({ accounts: lastWrites(block), transactions, watermark });
          }
          expect(await indexContent(writer.store)).toBe(await indexContent(clean));
          expect(await writer.store.readWatermark()).toEqual(await clean.readWatermark());
        } catch (error) {
          console.error(
            `repeat with: LAMPLIGHT_TAKEN_SEED=${seed} LAMPLIGHT_TAKEN_SEEDS=1 npx vitest run tools/conformance/src/taken-over-slots.pg.test.ts`,
          );
          throw error;
        } finally {
          await writer.stop();
          await clean.close();
        }
      },
    );

    // In three seeds of a hundred, every writer dies where nothing was left to report.
    test.runIf(seeds >= SEEDS_OF_A_RUN)("had to be derived again in some of these", () => {
      expect(replaced).toBeGreaterThan(0);
    });
  });
});
