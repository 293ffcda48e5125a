/** Lines that are sent together, and the longest time that a line waits for others. */
const LINES_MAX = 64;
const WAIT_MS = 200;

/** Collects lines that are sent often, to another thread or to a file, since each message or write costs more than a line. */
export class LineBatch<Line> {
  readonly #send: (lines: readonly Line[]) => void;
  #lines: Line[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(send: (lines: readonly Line[]) => void) {
    this.#send = send;
  }

  add(line: Line): void {
    this.#lines.push(line);
    if (this.#lines.length >= LINES_MAX) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS).unref();
  }

  /** Sends what is there. */
  flush(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) this.#send(lines);
  }
}
