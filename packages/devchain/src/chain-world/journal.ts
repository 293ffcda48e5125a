/**
 * The state of a chain as records that are replaced, never changed. Each replacement is noted, so that the newest slots
 * can be undone one after another.
 */
export class Journal {
  #records = new Map<string, unknown>();
  #open: Map<string, unknown> = new Map();
  #closed: ReadonlyMap<string, unknown>[] = [];

  find<Value>(key: string): Value | undefined {
    return this.#records.get(key) as Value | undefined;
  }

  /** Runs an operation. If it throws, every record is restored. */
  attempt<Result>(work: () => Result): Result {
    const outer = this.#open;
    const own = new Map<string, unknown>();
    this.#open = own;
    try {
      const result = work();
      for (const [key, before] of own) if (!outer.has(key)) outer.set(key, before);
      return result;
    } catch (error) {
      this.#revert(own);
      throw error;
    } finally {
      this.#open = outer;
    }
  }

  /** @param value - undefined removes the record */
  set(key: string, value: unknown): void {
    if (!this.#open.has(key)) this.#open.set(key, this.#records.get(key));
    if (value === undefined) this.#records.delete(key);
    else this.#records.set(key, value);
  }

  /** Keys with this prefix, in the order of their creation. */
  keys(prefix: string): readonly string[] {
    return [...this.#records.keys()].filter((key) => key.startsWith(prefix));
  }

  /** Ends a step, which can be undone as one. Only the newest `keptMax` steps can be undone. */
  closeStep(keptMax: number): void {
    this.#closed.push(this.#open);
    if (this.#closed.length > 2 * keptMax) this.#closed = this.#closed.slice(-keptMax);
    this.#open = new Map();
  }

  /** Undoes the current step, and the newest `steps` steps; false where fewer are recorded. */
  undo(steps: number): boolean {
    if (steps > this.#closed.length) return false;
    this.#revert(this.#open);
    this.#open = new Map();
    for (let step = 0; step < steps; step += 1) this.#revert(this.#closed.pop()!);
    return true;
  }

  copy(): Journal {
    const copy = new Journal();
    copy.#records = new Map(this.#records);
    copy.#open = new Map(this.#open);
    copy.#closed = [...this.#closed];
    return copy;
  }

  #revert(step: ReadonlyMap<string, unknown>): void {
    for (const [key, before] of step) {
      if (before === undefined) this.#records.delete(key);
      else this.#records.set(key, before);
    }
  }
}
