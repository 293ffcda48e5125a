import { isLamplightError } from "@lamplight/errors";
import { type IndexStore, reads } from "@lamplight/core";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { REOPEN_MAX_MS } from "./engine/settings.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { openPostgresReader } from "./reader/open-postgres-reader.ts";
import type { PostgresReader } from "./reader/postgres-reader.ts";
import { addressOf, assetOf, slotOf, tokenAccountOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../test/with-postgres.ts";

const ACCOUNTS = 200;
const CRASHES = 4;
const READERS = 3;
/** Attempts to go on after the server is back: the first may still meet a dead connection. */
const ATTEMPTS_MAX = 5;
/** Milliseconds that a reader pauses once it has learned that the server is gone. */
const PAUSE_MS = 10;
const patience = { timeout: 300 * REOPEN_MAX_MS, interval: PAUSE_MS };

const changesOf = (slot: number) =>
  slotOf(
    slot,
    Array.from({ length: ACCOUNTS }, (_, which) => tokenAccountOf(which, { slot, lamports: BigInt(slot) })),
    { assets: [{ ...assetOf("one"), updatedSlot: slot, document: `{"slot":${slot}}` }] },
  );

/** Numbers from 0 to 1; the same ones for the same seed. */
const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** A view either shows one complete slot or says that the server is gone. */
const readCompleteSlot = async (reader: PostgresReader, random: () => number): Promise<number | null> => {
  try {
    const view = await reader.openView("finalized");
    try {
      for (let read = 0; read < 5; read += 1) {
        const account = await view.read(reads.account(addressOf(Math.floor(random() * ACCOUNTS))));
        expect(account?.slot).toBe(view.slot);
      }
      const asset = await view.read(reads.ownAsset(assetOf("one").id));
      expect(asset?.document).toBe(`{"slot":${view.slot}}`);
      return view.slot;
    } finally {
      view.close();
    }
  } catch (error) {
    if (isLamplightError(error, "STORE__UNREACHABLE")) return null;
    throw error;
  }
};

/** Commits until the server is gone; answers the last slot whose commit was acknowledged. */
const commitUntilGone = async (
  store: IndexStore,
  from: number,
  onSlot: (slot: number) => void,
): Promise<number> => {
  for (let slot = from; ; slot += 1) {
    try {
      await store.commit(changesOf(slot));
      onSlot(slot);
    } catch (error) {
      expect(error).toMatchObject({ code: "STORE__UNREACHABLE" });
      return slot - 1;
    }
  }
};

const untilBack = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === ATTEMPTS_MAX || !isLamplightError(error, "STORE__UNREACHABLE")) throw error;
    }
  }
};

describeWithPostgres("a server that dies under load", (under) => {
  const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);

  test(`loses no slot that was reported, shows none in part, and serves on (LAMPLIGHT_SEED=${seed})`, async () => {
    const random = randomOf(seed);
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    const reader = await openPostgresReader({ url });
    await store.commit(changesOf(1));
    let reported = 1;
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const crashAt = reported + 1 + Math.floor(random() * 8);
      let crashed: Promise<void> | null = null;
      const over = new AbortController();
      const readers = Array.from({ length: READERS }, async () => {
        let newest = 0;
        while (!over.signal.aborted) {
          const slot = await readCompleteSlot(reader, random);
          if (slot === null) await sleep(PAUSE_MS);
          if (slot !== null) expect(slot).toBeGreaterThanOrEqual(newest);
          newest = Math.max(newest, slot ?? 0);
        }
      });
      const last = await commitUntilGone(store, reported + 1, (slot) => {
        if (slot === crashAt) crashed = under().server.crash();
      });
      over.abort();
      await Promise.all([crashed, ...readers]);
      await under().server.restart();
      const watermark = await untilBack(async () => store.readWatermark());
      expect([last, last + 1]).toContain(watermark?.slot);
      // Readers ask a server that was away ever more seldom.
      await vi.waitFor(
        async () => expect(await readCompleteSlot(reader, random)).toBe(watermark?.slot),
        patience,
      );
      reported = watermark?.slot as number;
      expect(await store.checkIntegrity()).toEqual([]);
    }
    reader.close();
    await store.close();
  });
});
