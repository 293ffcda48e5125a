// Slots that a stream lacks: the source asks for them again, as far back as the server remembers.

import type { ChainEvent } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import {
  expectCleanContent,
  finalizedAt,
  follow,
  follower,
  overlay,
  problems,
  simulation,
  source,
  stream,
  subscribed,
  until,
  upstream,
  useStream,
} from "../../test/yellowstone-stream.ts";

useStream();

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

describe("a Yellowstone stream with a gap", () => {
  test("joined in the midst of a slot after the replay, it asks for that slot again and misses nothing", async () => {
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
    stream.renews = true;
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
});
