/** Bounds of a queue; it is full at either of them. */
export interface QueueBounds {
  readonly events: number;
  readonly bytes: number;
}

export interface QueueOptions extends QueueBounds {
  /**
   * Called once when the queue is full. `onRoom` follows when half of it is read. A socket may deliver a little more
   * until it pauses.
   */
  readonly onFull: () => void;
  readonly onRoom: () => void;
}

/** A bounded queue between a socket and its reader. It ends with the error of the socket. */
export class EventQueue<Event> {
  readonly #options: QueueOptions;
  /** Null where the event was read, so that only waiting events use memory. */
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

  /** Whether it failed. Nothing more is added, and waiting events can still be read. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  /** @param bytes - approximate memory of the event */
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

  /** Yields every event, then throws the error given to `fail`. It has one reader. */
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
