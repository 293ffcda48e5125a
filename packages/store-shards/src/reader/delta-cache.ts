import { type DeltaHead, readDeltas } from "@lamplight/store-postgres";
import { decodeDelta, type NumberedDelta, type NumberedPath } from "../numbered-delta.ts";

type Db = Parameters<typeof readDeltas>[0];

/** The deltas above the settled one, decoded once for all views of a process. */
export class DeltaCache {
  readonly #known = new Map<number, NumberedDelta>();
  #writer: string | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param writer - random name of the last writer. After a restore, another one gives numbers a second time.
   * @param db - in the snapshot that `head` and `writer` were read in, so that no body is missing
   */
  async pathOf({ settled, published }: DeltaHead, writer: string, db: Db): Promise<NumberedPath> {
    const known = this.#path(settled, published, writer);
    if (known !== null) return known;
    // One caller reads, and the others find what it has read.
    const turn = this.#turn.then(async () => {
      const found = this.#path(settled, published, writer);
      return found ?? this.#read(settled, published, writer, db);
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #read(settled: number, published: number, writer: string, db: Db): Promise<NumberedPath> {
    if (writer !== this.#writer) this.#known.clear();
    this.#writer = writer;
    let from = settled;
    while (from < published && this.#known.has(from + 1)) from += 1;
    const read = await Promise.all((await readDeltas(db, from, published)).map(decodeDelta));
    const path = new Map([...this.#known, ...read.map((one) => [one.number, one] as const)]);
    for (const one of read) this.#known.set(one.number, one);
    for (const number of this.#known.keys()) if (number <= settled) this.#known.delete(number);
    return pathIn(path, settled, published)!;
  }

  #path(settled: number, published: number, writer: string): NumberedPath | null {
    return writer !== this.#writer ? null : pathIn(this.#known, settled, published);
  }
}

/** Null where one of them is missing. */
const pathIn = (
  deltas: ReadonlyMap<number, NumberedDelta>,
  settled: number,
  published: number,
): NumberedPath | null => {
  const path: NumberedDelta[] = [];
  for (let number = published; number > settled; number -= 1) {
    const one = deltas.get(number);
    if (one === undefined) return null;
    path.push(one);
  }
  return path;
};
