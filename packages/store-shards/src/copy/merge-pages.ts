type Pages<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/** Where one of the walks stands; its page has a row at `at`. */
interface Walk<Row> {
  readonly iterator: AsyncIterator<readonly Row[]> | Iterator<readonly Row[]>;
  page: readonly Row[];
  at: number;
}

/** Rows of a page. A walk over each source holds another one. */
const PAGE_ROWS = 500;

/** Walks that are each in the order of `compare`, as one walk in that order. */
export async function* mergePages<Row>(
  sources: readonly Pages<Row>[],
  compare: (a: Row, b: Row) => number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const started = await Promise.all(sources.map((source) => advance(newWalk(source))));
  let walks = started.filter((walk) => walk !== null);
  let page: Row[] = [];
  while (walks.length > 0) {
    const next = walks.reduce((first, walk) => (compare(rowOf(walk), rowOf(first)) < 0 ? walk : first));
    page.push(rowOf(next));
    if (page.length === PAGE_ROWS) {
      yield page;
      page = [];
    }
    next.at += 1;
    if (next.at === next.page.length && (await advance(next)) === null)
      walks = walks.filter((walk) => walk !== next);
  }
  if (page.length > 0) yield page;
}

const newWalk = <Row>(source: Pages<Row>): Walk<Row> => ({
  iterator: Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator](),
  page: [],
  at: 0,
});

const rowOf = <Row>({ page, at }: Walk<Row>): Row => page[at]!;

/** To its next page with a row; null at its end. */
const advance = async <Row>(walk: Walk<Row>): Promise<Walk<Row> | null> => {
  for (;;) {
    const { done, value } = await walk.iterator.next();
    if (done === true) return null;
    walk.page = value;
    walk.at = 0;
    if (value.length > 0) return walk;
  }
};
