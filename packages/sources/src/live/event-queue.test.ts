import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { EventQueue } from "./event-queue.ts";

const startQueue = (bounds: { readonly events: number; readonly bytes: number }) => {
  const said: string[] = [];
  const queue = new EventQueue<number>({
    ...bounds,
    onFull: () => said.push("full"),
    onRoom: () => said.push("room"),
  });
  return { queue, said, reader: queue.drain() };
};

describe("EventQueue", () => {
  test.each([
    ["events", { events: 4, bytes: 1000 }, 1],
    ["bytes", { events: 1000, bytes: 400 }, 100],
  ])("says once that it is full of %s, and that half of it is read", async (_, bounds, bytes) => {
    const { queue, said, reader } = startQueue(bounds);
    for (let event = 0; event < 3; event += 1) queue.push(event, bytes);
    expect(said).toEqual([]);
    queue.push(3, bytes);
    queue.push(4, bytes);
    expect(said).toEqual(["full"]);
    for (let event = 0; event < 2; event += 1) expect((await reader.next()).value).toBe(event);
    expect(said).toEqual(["full"]);
    expect((await reader.next()).value).toBe(2);
    expect(said).toEqual(["full", "room"]);
    expect(queue.size).toBe(2);
  });

  test("gives everything that was pushed before it failed, and nothing that came after", async () => {
    const { queue, reader } = startQueue({ events: 10, bytes: 10 });
    queue.push(1, 1);
    queue.fail(new Error("first"));
    queue.fail(new Error("second"));
    queue.push(2, 1);
    expect((await reader.next()).value).toBe(1);
    await expect(reader.next()).rejects.toThrow("first");
  });

  test("holds nothing of what is read", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const queue = new EventQueue<object>({ events: 100, bytes: 100, onFull: () => {}, onRoom: () => {} });
    const reader = queue.drain();
    const pushed = Array.from({ length: 10 }, () => {
      const event = {};
      queue.push(event, 1);
      return new WeakRef(event);
    });
    for (let read = 0; read < 9; read += 1) await reader.next();
    // Also what a turn of the event loop keeps alive is gone by then.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    // The last one read is still in the reader's hand.
    const isHeld = pushed.map((event) => event.deref() !== undefined);
    expect(isHeld.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => false));
    expect(isHeld[9]).toBe(true);
    expect((await reader.next()).done).toBe(false);
  });

  test("wakes a reader that waits, and keeps the order of thousands", async () => {
    const { queue, reader } = startQueue({ events: 1e6, bytes: 1e6 });
    const read = (async () => {
      const all: number[] = [];
      await (async () => {
        for await (const event of reader) all.push(event);
      })().catch(() => undefined);
      return all;
    })();
    const pushed = Array.from({ length: 5000 }, (_, index) => index);
    for (const event of pushed) {
      queue.push(event, 1);
      if (event % 700 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    queue.fail(new Error("over"));
    expect(await read).toEqual(pushed);
  });
});
