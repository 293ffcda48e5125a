/** Beyond either of them a queue is full. */
export interface QueueBounds {
  readonly events: number;
  readonly bytes: number;
}

export interface QueueOptions extends QueueBounds {
  /** Called once when it is full; `onRoom` follows when half of it is read. A socket may deliver a little more until it stands. */
  readonly onFull: () => void;
  readonly onRoom: () => void;
}

/** Between a socket and its reader: bounded, in order; ends with what the socket failed with. */
export class EventQueue<Event> {
  readonly #options: QueueOptions;
  /** Null where it is read: nothing but what waits may be held. */
  #waiting: ({ readonly event: Event; readonly bytes: number } | null)[] = [];
  #next = 0;
  #bytes = 0;
  #isFull = false;
  #end: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.length - this.#next;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether it failed: nothing more is taken, and what is left is still read. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  /** @param bytes - what the event holds of memory, about */
  push(event: Event, bytes: number): void {
    if (this.#end !== null) return;
    this.#waiting.push({ event, bytes });
    this.#bytes += bytes;
    const { events: eventsMax, bytes: bytesMax, onFull } = this.#options;
    if (!this.#isFull && (this.size >= eventsMax || this.#bytes >= bytesMax)) {
      this.#isFull = true;
      onFull();
    }
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** Everything pushed, then throws what `fail` was given. For one reader. */
  async *drain(): AsyncGenerator<Event, never> {
    for (;;) {
      while (this.#next < this.#waiting.length) {
        const { event, bytes } = this.#waiting[this.#next]!;
        this.#waiting[this.#next] = null;
        this.#next += 1;
        this.#bytes -= bytes;
        this.#makeRoom();
        yield event;
      }
      if (this.#end !== null) throw this.#end.error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  #makeRoom(): void {
    if (this.#next >= 1024 && this.#next * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    const { events: eventsMax, bytes: bytesMax, onRoom } = this.#options;
    if (!this.#isFull || this.size > eventsMax / 2 || this.#bytes > bytesMax / 2) return;
    this.#isFull = false;
    onRoom();
  }
}
