/** A connection that is not read for now. */
interface Resting {
  /** It may be read again. */
  readOn(): void;
}

/**
 * Connections of which too much was read at once, such as a body in parts of one byte. One of them is read on in each turn of the
 * event loop. So however many there are, other callers are read in between.
 */
export class ReadTurns {
  readonly #resting = new Set<Resting>();

  add(connection: Resting): void {
    this.#resting.add(connection);
    if (this.#resting.size === 1) setImmediate(this.#next);
  }

  readonly #next = (): void => {
    for (const first of this.#resting) {
      this.#resting.delete(first);
      first.readOn();
      break;
    }
    if (this.#resting.size > 0) setImmediate(this.#next);
  };
}
