import { describe, expect, test } from "vitest";
import { startWalk } from "./walk.ts";

interface Page {
  readonly items: readonly number[];
  readonly cursor?: string;
}

/** Pages of two; page n begins with the item 2n. */
const source = (pages: number, start?: string) => {
  const asked: (string | undefined)[] = [];
  const signals: AbortSignal[] = [];
  return {
    asked,
    signals,
    start,
    itemsOf: ({ items }: Page) => items,
    fetchPage: async (cursor: string | undefined, signal: AbortSignal): Promise<Page> => {
      asked.push(cursor);
      signals.push(signal);
      signal.throwIfAborted();
      const page = Number(cursor ?? start ?? 0);
      const items = [2 * page, 2 * page + 1];
      return page + 1 < pages ? { items, cursor: String(page + 1) } : { items };
    },
  };
};

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("startWalk", () => {
  test.each([0, 1, 3, 99])("gives all items in order, with %d pages ahead", async (readAhead) => {
    const pages = source(4);
    const items: number[] = [];
    for await (const item of startWalk(pages, readAhead)) items.push(item);
    expect(items).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(pages.asked).toEqual([undefined, "1", "2", "3"]);
  });

  test.each([
    [0, 1],
    [1, 2],
    [3, 4],
    [99, 9],
  ])("with %d pages ahead requests %d for the first item", async (readAhead, requested) => {
    const pages = source(50);
    const walk = startWalk(pages, readAhead);
    await walk.next();
    await settle();
    expect(pages.asked).toHaveLength(requested);
    await walk.return?.();
  });

  test("reports where a later walk goes on", async () => {
    const walk = startWalk(source(3, "1"));
    expect(walk.cursor).toBe("1");
    await walk.next();
    await walk.next();
    expect(walk.cursor).toBe("1");
    await walk.next();
    expect(walk.cursor).toBe("2");
    await walk.next();
    expect(await walk.next()).toEqual({ done: true, value: undefined });
    expect(walk.cursor).toBeUndefined();
  });

  test("ends requests that are on their way when the loop is left", async () => {
    const pages = source(9);
    for await (const item of startWalk(pages)) if (item === 2) break;
    expect(pages.signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test("fails with the reason of a signal", async () => {
    const controller = new AbortController();
    const walk = startWalk(source(9), 1, [controller.signal]);
    await walk.next();
    await walk.next();
    controller.abort(new Error("enough"));
    await expect(walk.next()).rejects.toThrow("enough");
  });

  test("fails with the error of a page that was requested ahead, once it is needed", async () => {
    const pages = source(9);
    const walk = startWalk({
      ...pages,
      fetchPage: (cursor, signal) =>
        cursor === "1" ? Promise.reject(new Error("page 1")) : pages.fetchPage(cursor, signal),
    });
    expect([(await walk.next()).value, (await walk.next()).value]).toEqual([0, 1]);
    await expect(walk.next()).rejects.toThrow("page 1");
  });

  test("gives whole pages too", async () => {
    const cursors: (string | undefined)[] = [];
    for await (const page of startWalk(source(3)).pages()) cursors.push(page.cursor);
    expect(cursors).toEqual(["1", "2", undefined]);
  });
});
