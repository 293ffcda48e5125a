// The stream of a real gRPC server on loopback, from the socket to the store, through everything that streams do.

import { Random } from "@lamplight/devchain";
import { describe, expect, test } from "vitest";
import {
  expectCleanContent,
  finalizedAt,
  follow,
  follower,
  overlay,
  problems,
  running,
  seed,
  simulate,
  simulation,
  source,
  stopping,
  stream,
  subscribed,
  until,
  upstream,
  useStream,
} from "../../test/yellowstone-stream.ts";

useStream();

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
    stream.gate = promise;
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
    stream.gate = promise;
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
      simulate({ bankNames });
      const random = new Random(seed, 310, 0);
      stream.renews = true;
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
