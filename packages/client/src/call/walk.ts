import type { Walk } from "./answer.ts";

const READ_AHEAD_DEFAULT = 1;
const READ_AHEAD_MAX = 8;

/** Every page has these members; its items are under a name of its own. */
interface AnyPage {
  readonly cursor?: string;
}

interface PageSource<Item, Page> {
  /** Requests the page at a cursor; undefined = the first one. */
  readonly fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
  readonly itemsOf: (page: Page) => readonly Item[];
  /** Cursor of the first page, to continue an earlier walk. */
  readonly start: string | undefined;
}

/** Follows the cursors of a list, with a bounded number of pages on the way. */
export const startWalk = <Item, Page extends AnyPage>(
  { fetchPage, itemsOf, start }: PageSource<Item, Page>,
  readAhead = READ_AHEAD_DEFAULT,
  signals: readonly AbortSignal[] = [],
): Walk<Item, Page> => {
  const ahead = Math.min(Math.max(0, readAhead), READ_AHEAD_MAX);
  let cursor = start;

  async function* pages(): AsyncGenerator<Page, undefined, undefined> {
    const stopping = new AbortController();
    const signal = AbortSignal.any([...signals, stopping.signal]);
    const request = (at: string | undefined): Promise<Page> => {
      const page = fetchPage(at, signal);
      // A page that was requested ahead may fail while no one waits for it yet.
      page.catch(() => {});
      return page;
    };
    /** The page after one that may still be on its way; null after the last. */
    const after = (page: Promise<Page | null>): Promise<Page | null> => {
      const next = page.then((known) => (known?.cursor === undefined ? null : request(known.cursor)));
      next.catch(() => {});
      return next;
    };
    try {
      signal.throwIfAborted();
      const queue: Promise<Page | null>[] = [request(undefined)];
      for (;;) {
        const current = queue.shift()!;
        while (queue.length < ahead) queue.push(after(queue.at(-1) ?? current));
        const page = await current;
        if (page === null) break;
        yield page;
        signal.throwIfAborted();
        cursor = page.cursor;
        if (cursor === undefined) break;
        if (queue.length === 0) queue.push(request(cursor));
      }
      return undefined;
    } finally {
      stopping.abort();
    }
  }

  async function* items(): AsyncGenerator<Item, undefined, undefined> {
    for await (const page of pages()) yield* itemsOf(page);
    return undefined;
  }

  const walk = items();
  return Object.defineProperty(Object.assign(walk, { pages }), "cursor", {
    get: () => cursor,
  }) as unknown as Walk<Item, Page>;
};
