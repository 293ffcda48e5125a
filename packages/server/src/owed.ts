/** What all connections of a server have been promised and have not yet taken. */
export class Owed {
  /** Answers handed to connections whose callers have not read them. */
  bytes = 0;
  /** Requests that were read and not started. */
  requests = 0;
  /** Bodies of calls that are being received, or are not answered. */
  bodyBytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get isFull(): boolean {
    return this.bytes >= this.#bytesMax;
  }

  /** An answer larger than the whole budget is sent where nothing else is owed. */
  hasRoomFor(bytes: number): boolean {
    return this.bytes === 0 || this.bytes + bytes <= this.#bytesMax;
  }
}
