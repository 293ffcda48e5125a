import { hash } from "node:crypto";

/** A name has a cell in each row. The lowest value is its own, unless another name shares all of its cells. */
export const ROWS = 4;

/** Names whose cells are remembered; beyond it they are computed again. */
const NAMES_MAX = 10_000;

/** Cells of one row, for so many names that count at once, about. */
export const cellsOfRow = (names: number): number => 2 ** Math.ceil(Math.log2(names));

/** Finds the cells of a name, which callers cannot guess. */
export class NamedCells {
  readonly #secret: string;
  readonly #perRow: number;
  readonly #known = new Map<string, readonly number[]>();

  constructor(secret: string, perRow: number) {
    this.#secret = secret;
    this.#perRow = perRow;
  }

  of(name: string): readonly number[] {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const digest = hash("sha256", this.#secret + name, "buffer");
    const cells = Array.from(
      { length: ROWS },
      (_, row) => row * this.#perRow + (digest.readUInt32LE(4 * row) % this.#perRow),
    );
    if (this.#known.size >= NAMES_MAX) this.#known.clear();
    this.#known.set(name, cells);
    return cells;
  }
}
