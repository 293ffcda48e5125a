/**
 * Reads of `started` that start after they are asked for. All that are asked for while one runs share the next one.
 */
export class LastLook {
  readonly #read: () => Promise<number>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<number> | null = null;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** The newest delta whose rows may have been on their way at some moment after this call. */
  started(): Promise<number> {
    this.#next ??= this.#running.then(() => this.#start());
    return this.#next;
  }

  async #start(): Promise<number> {
    this.#next = null;
    const reading = this.#read();
    this.#running = reading.catch(() => undefined);
    return reading;
  }
}
