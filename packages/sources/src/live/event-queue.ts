/** Between a socket and its reader: bounded, in order, ends with what the socket ended with. */
export class EventQueue<Event> {
  readonly #max: number;
  readonly #onFull: () => void;
  readonly #onRoom: () => void;
  #events: Event[] = [];
  #next = 0;
  #isFull = false;
  #end: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;

  /**
   * @param max - at which `onFull` is called, once; `onRoom` follows when half of it is read. A socket may deliver a
   * little more until it stands.
   */
  constructor(max: number, { onFull, onRoom }: { readonly onFull: () => void; readonly onRoom: () => void }) {
    this.#max = max;
    this.#onFull = onFull;
    this.#onRoom = onRoom;
  }

  get size(): number {
    return this.#events.length - this.#next;
  }

  push(event: Event): void {
    if (this.#end !== null) return;
    this.#events.push(event);
    if (!this.#isFull && this.size >= this.#max) {
      this.#isFull = true;
      this.#onFull();
    }
    this.#wake?.();
  }

  end(): void {
    this.#end ??= { error: null };
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** Everything pushed, then the end; throws what `fail` was given. For one reader. */
  async *drain(): AsyncGenerator<Event, void> {
    for (;;) {
      while (this.#next < this.#events.length) {
        const event = this.#events[this.#next]!;
        this.#next += 1;
        this.#makeRoom();
        yield event;
      }
      if (this.#end !== null) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#end.error !== null) throw this.#end.error;
  }

  #makeRoom(): void {
    if (this.#next >= 1024 && this.#next * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#next);
      this.#next = 0;
    }
    if (!this.#isFull || this.size > this.#max / 2) return;
    this.#isFull = false;
    this.#onRoom();
  }
}
