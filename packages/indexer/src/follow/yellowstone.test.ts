// The stream of a real gRPC server on loopback, from the socket to the store, through everything that streams do.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { ChainEvent, IndexStore, Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { indexContent } from "../../test/index-content.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { ChainFollower } from "./chain-follower.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 7);

let folder: string;
let simulation: ChainSimulation;
let upstream: SimulatedYellowstone;
let url: string;
let store: IndexStore;
let reader: SqliteReader;
let overlay: ForkOverlay;
let follower: ChainFollower;
let stopping: AbortController;
let problems: string[];
let running: Promise<void>;
let source: YellowstoneSource;
/** The follower waits for this promise before each event. */
let gate: Promise<void>;
/** Whether a gap makes the source restart. */
let renews: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-yellowstone-"));
  simulation = new ChainSimulation({ seed, isChaotic: true });
  upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from), token: "secret" });
  url = await upstream.start();
  const file = join(folder, "index.db");
  store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await applyGenesis(store);
  reader = openSqliteReader({ file });
  overlay = await ForkOverlay.open({ store, viewSource: reader, closeFromTransactions: false });
  follower = new ChainFollower({ overlay, onGap: () => renews && source.renew() });
  renews = false;
  gate = Promise.resolve();
  problems = [];
});
afterEach(async () => {
  stopping.abort();
  await running.catch(() => undefined);
  upstream.stop();
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const applyGenesis = async (target: IndexStore): Promise<void> => {
  const { accounts, slot, blockhash } = simulation.genesis;
  await createIndexer(target).applyAccounts(accounts, { slot, blockhash });
};

const follow = (token: string | null = "secret", silenceMs?: number, drainMs?: number): void => {
  stopping = new AbortController();
  source = new YellowstoneSource({
    url,
    token,
    accounts: { all: {} },
    transactionPrograms: [encodeAddress(programAddresses.bubblegum)],
    commitment: "processed",
    resumeFrom: () => overlay.state.finalizedSlot + 1,
    signal: stopping.signal,
    onProblem: ({ code }) => problems.push(code),
    retryMs: 1,
    renewMs: 1,
    refusedMs: 1,
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(drainMs === undefined ? {} : { drainMs }),
  });
  running = (async () => {
    for await (const event of source.events()) {
      await gate;
      await follower.take(event);
    }
  })();
};

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

const subscribed = (): Promise<void> => until(() => upstream.subscribers === 1);
const finalizedAt = (slot: Slot): Promise<void> => until(() => overlay.state.finalizedSlot === slot);

const expectCleanContent = async (): Promise<void> => {
  const clean = openSqliteStore({ file: join(folder, "clean.db"), mode: "write" });
  await applyGenesis(clean);
  for (const block of simulation.pathTo(simulation.finalized)!) {
    const { slot, blockhash, transactions } = block;
    const watermark = { slot, blockhash };
    await createIndexer(clean).apply({ accounts: lastWrites(block), transactions, watermark });
  }
  expect(await indexContent(store)).toBe(await indexContent(clean));
  expect(await store.readWatermark()).toEqual(await clean.readWatermark());
  await clean.close();
};

describe("following a Yellowstone stream", () => {
  test("live, the store ends as after a clean run, and pings are answered", async () => {
    follow();
    await subscribed();
    for (let step = 0; step < 40; step += 1) upstream.emit(simulation.next());
    upstream.ping();
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    await until(() => upstream.pongs === 1);
    expect(source.state).toMatchObject({ connected: true, connections: 1, replayRefused: false });
    expect(follower.state).toMatchObject({ gap: null, restarts: 1 });
    await expectCleanContent();
  });

  test("stopped while messages wait, it still roots what was finalized", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    follow();
    await subscribed();
    const events = [...Array.from({ length: 30 }, () => simulation.next()).flat(), ...simulation.settle()];
    upstream.emit(events);
    await until(() => source.state.messages === upstream.encode(events).length);
    expect(overlay.state.finalizedSlot).toBe(simulation.genesis.slot);
    stopping.abort();
    resolve();
    await running;
    expect(overlay.state.finalizedSlot).toBe(simulation.finalized);
    await expectCleanContent();
  });

  test("stopped while more messages wait than there is time for, it leaves the rest to anyone who resumes", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    follow("secret", undefined, 0);
    await subscribed();
    const events = [...Array.from({ length: 30 }, () => simulation.next()).flat(), ...simulation.settle()];
    upstream.emit(events);
    await until(() => source.state.messages === upstream.encode(events).length);
    stopping.abort();
    resolve();
    await running;
    expect(overlay.state.finalizedSlot).toBe(simulation.genesis.slot);
    follow();
    await finalizedAt(simulation.finalized);
    await expectCleanContent();
  });

  test("cut off again and again, it resumes from the finalized slot and misses nothing", async () => {
    const random = new Random(seed, 300, 0);
    follow();
    await subscribed();
    for (let step = 0; step < 40; step += 1) {
      const events = simulation.next();
      if (!random.percent(15)) {
        upstream.emit(events);
        if (random.percent(10)) upstream.emit(simulation.equivocate());
        continue;
      }
      upstream.emit(events.slice(0, random.below(events.length)));
      // The node that answers next has another block of some slot.
      if (random.percent(50)) simulation.equivocate();
      upstream.cutOff();
      await subscribed();
    }
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(problems.length).toBeGreaterThan(0);
    expect(new Set(problems)).toEqual(new Set(["SOURCE__LOST"]));
    expect(follower.state.gap).toBe(null);
    await expectCleanContent();
  });

  test.each(["none", "data", "all"] as const)(
    "banks are replaced without a word, and the store ends as after a clean run (named: %s)",
    async (bankNames) => {
      simulation = new ChainSimulation({ seed, isChaotic: true, bankNames });
      const random = new Random(seed, 310, 0);
      renews = true;
      follow();
      await subscribed();
      for (let step = 0; step < 40; step += 1) {
        upstream.emit(random.percent(30) ? simulation.switchBank() : simulation.next());
        if (random.percent(5)) simulation.migrate();
        if (!random.percent(8)) continue;
        simulation.changeNode();
        upstream.cutOff();
        await subscribed();
      }
      upstream.emit(simulation.settle());
      await finalizedAt(simulation.finalized);
      expect(follower.state.replacedSlots).toBeGreaterThan(0);
      expect(follower.state.gap).toBe(null);
      await expectCleanContent();
    },
  );

  test("joined in the midst of a slot after the replay, it asks for that slot again and misses nothing", async () => {
    const tellNext = (): void => {
      const events = simulation.next();
      // Servers report the creation of every slot.
      const created = new Set(
        events.flatMap((one) => (one.kind === "slot" && one.status === "createdBank" ? [one.slot] : [])),
      );
      const blocks = events.filter((one) => one.kind === "block" && !created.has(one.slot));
      const missing = blocks.map((block): ChainEvent => {
        const { slot, parent } = block as Extract<ChainEvent, { kind: "block" }>;
        return { kind: "slot", slot, parent, status: "createdBank" };
      });
      upstream.emit([...missing, ...events]);
    };
    // A slot that passes between replay and joining is lost as a whole: only a new stream brings it.
    follow("secret", 2000);
    await subscribed();
    for (let round = 0; round < 4; round += 1) {
      for (let step = 0; step < 5; step += 1) tellNext();
      upstream.joinBefore = (messages) => Math.floor((messages * (round + 1)) / 5);
      upstream.cutOff();
      await subscribed();
      for (let step = 0; step < 5; step += 1) tellNext();
    }
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(follower.state.gap).toBe(null);
    await expectCleanContent();
  });

  test("where the server cannot replay, the gap stays a gap and nothing is finalized over it", async () => {
    follow();
    await subscribed();
    for (let step = 0; step < 10; step += 1) upstream.emit(simulation.next());
    const before = simulation.finalized;
    await finalizedAt(before);
    upstream.replayMode = { kind: "none" };
    upstream.cutOff();
    for (let step = 0; step < 5; step += 1) simulation.next();
    await subscribed();
    upstream.emit(simulation.next());
    upstream.emit(simulation.settle());
    await until(() => follower.state.gap !== null);
    expect(source.state.replayRefused).toBe(true);
    expect(overlay.state.finalizedSlot).toBe(before);
    // A server that has it all again mends it.
    upstream.replayMode = { kind: "all" };
    upstream.cutOff();
    await finalizedAt(simulation.finalized);
    expect(follower.state.gap).toBe(null);
    await expectCleanContent();
  });

  test("a server that has no slot to replay yet is asked again", async () => {
    upstream.replayMode = { kind: "ended" };
    follow();
    await until(() => source.state.connections === 3);
    expect(upstream.subscribers).toBe(0);
    for (let step = 0; step < 10; step += 1) simulation.next();
    await subscribed();
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(source.state.replayRefused).toBe(false);
    expect(new Set(problems)).toEqual(new Set(["SOURCE__LOST"]));
    await expectCleanContent();
  });

  test("slots that the stream silently lost are asked for again", async () => {
    renews = true;
    follow();
    await subscribed();
    for (let step = 0; step < 10; step += 1) upstream.emit(simulation.next());
    // These slots are not reported, and the stream goes on as if they had been.
    for (let step = 0; step < 5; step += 1) simulation.next();
    for (let step = 0; step < 10; step += 1) upstream.emit(simulation.next());
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(source.state.connections).toBeGreaterThan(1);
    await expectCleanContent();
  });

  test("a server with too short a memory is asked for what it has", async () => {
    const oldest = simulation.genesis.slot + 3;
    upstream.replayMode = { kind: "from", oldest };
    follow();
    await subscribed();
    expect(problems).toEqual(["SOURCE__LOST"]);
    expect(source.state.replayRefused).toBe(true);
  });

  test("nor is one whose memory moves on in the meantime asked in vain for ever", async () => {
    let oldest = simulation.genesis.slot + 3;
    upstream.replayMode = {
      kind: "from",
      get oldest() {
        oldest += 1;
        return oldest;
      },
    };
    follow();
    await subscribed();
    expect(problems).toEqual(["SOURCE__LOST", "SOURCE__LOST"]);
  });

  test("one that was started again lacks nothing where its memory begins above what was reported", async () => {
    follow();
    await subscribed();
    for (let step = 0; step < 10; step += 1) upstream.emit(simulation.next());
    await until(() => overlay.state.finalizedSlot > simulation.genesis.slot);
    upstream.endStreams();
    const missed = Array.from({ length: 5 }, () => simulation.next()).flat();
    const [oldest] = missed.flatMap((one) => (one.kind === "block" ? [one.slot] : []));
    upstream.replayMode = { kind: "from", oldest: oldest! };
    await subscribed();
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(follower.state.gap).toBe(null);
    await expectCleanContent();
  });

  test.each([
    ["that cannot be read", Buffer.from([0x12, 0x05, 0x01]), "SOURCE__BAD_MESSAGE"],
    ["larger than any may be", Buffer.alloc(64 * 1024 * 1024 + 1), "SOURCE__LOST"],
  ])("a message %s ends the stream, and the next one goes on", async (_, message, code) => {
    follow();
    await subscribed();
    upstream.emit(simulation.next());
    upstream.send([message]);
    await until(() => source.state.connections === 2);
    await subscribed();
    for (let step = 0; step < 10; step += 1) upstream.emit(simulation.next());
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(problems).toEqual([code]);
    await expectCleanContent();
  });

  test("one that ends its stream in peace is asked again", async () => {
    follow();
    await subscribed();
    upstream.emit(simulation.next());
    upstream.endStreams();
    await until(() => source.state.connections === 2);
    await subscribed();
    upstream.emit(simulation.next());
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    expect(problems).toEqual(["SOURCE__LOST"]);
    await expectCleanContent();
  });

  test("a server that only pings follows no chain: the stream is started again, and readiness is not following", async () => {
    follow("secret", 200);
    await subscribed();
    upstream.emit(simulation.next());
    await until(() => source.state.connected);
    const pinging = setInterval(() => upstream.ping(), 10);
    // Nothing is replayed above what it has reported: only pings come.
    upstream.replayMode = { kind: "none" };
    const { messages } = source.state;
    await until(() => source.state.connections >= 3 && source.state.messages > messages + 10);
    clearInterval(pinging);
    expect(source.state.connected).toBe(false);
    await until(() => {
      upstream.emit(simulation.next());
      return source.state.connected;
    });
  });

  test("a server that sends empty messages follows no chain either", async () => {
    follow("secret", 200);
    await subscribed();
    upstream.replayMode = { kind: "none" };
    // These messages have no field, the name of a filter alone, an empty slot, and an empty block.
    const empty = [[], [0x0a, 1, 0x61], [0x1a, 0], [0x3a, 0]].map((bytes) => Uint8Array.from(bytes));
    const sending = setInterval(() => upstream.send(empty), 10);
    try {
      await until(() => source.state.connections >= 3 && source.state.messages > 10);
      expect(source.state).toMatchObject({ connected: false, newestSlot: null, lastReportedMs: null });
      expect(problems).toContain("SOURCE__LOST");
    } finally {
      clearInterval(sending);
    }
  });

  test("a refused token ends it at once", async () => {
    follow("wrong");
    await expect(running).rejects.toMatchObject({ code: "SOURCE__REFUSED" });
    expect(source.state.connections).toBe(1);
  });

  // UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT of gRPC.
  test.each([
    ["a token", 16],
    ["a permission", 7],
    ["a request", 3],
  ])(
    "%s that is refused after it worked is a problem, and it goes on once that has passed",
    async (_, code) => {
      follow();
      await subscribed();
      upstream.emit(simulation.next());
      await until(() => source.state.connected);
      upstream.cutOff(code, "secret is out of order");
      await until(() => source.state.connections >= 2);
      await subscribed();
      upstream.emit(simulation.next());
      upstream.emit(simulation.settle());
      await finalizedAt(simulation.finalized);
      expect(problems).toEqual(["SOURCE__LOST"]);
      await expectCleanContent();
    },
  );
});
