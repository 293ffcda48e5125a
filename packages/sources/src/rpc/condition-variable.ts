/** Tasks wait here until another task has changed what they wait for. */
export class ConditionVariable {
  #waiting: (() => void)[] = [];
  #rung = false;

  ring(): void {
    this.#rung = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves with the next ring; at once if it rang since the last `rest`. It has one reader. */
  async rest(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#rung = false;
  }

  /**
   * Resolves once a condition is true. It is checked at each ring.
   *
   * @throws the signal's reason
   */
  async until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    const wake = (): void => this.ring();
    signal.addEventListener("abort", wake);
    try {
      while (!holds()) {
        signal.throwIfAborted();
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }
}
