/** A letter, and a length that counts itself. */
const KIND_BYTES = 1;
const HEADER_BYTES = KIND_BYTES + 4;

/** Called for each message from its letter on, up to `to`; what it keeps of `bytes` are views. */
type OnMessage = (bytes: Buffer, from: number, to: number) => void;

/** Cuts what comes along a connection into messages. A message in many pieces is joined once. */
export class MessageSplitter {
  readonly #onMessage: OnMessage;
  /** The beginning of a message, in pieces. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Bytes that are needed before anything can be read. */
  #needed = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  add(piece: Buffer): void {
    if (this.#pieces.length === 0) {
      this.#split(piece);
      return;
    }
    const missing = this.#needed - this.#bytes;
    // While the length is not known yet, everything is joined; else only the message.
    const joins = this.#needed === HEADER_BYTES ? piece.length : Math.min(missing, piece.length);
    this.#pieces.push(piece.subarray(0, joins));
    this.#bytes += joins;
    if (this.#bytes < this.#needed) return;
    const joined = Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [];
    this.#split(joined);
    if (joins < piece.length) this.#split(piece.subarray(joins));
  }

  #split(bytes: Buffer): void {
    let at = 0;
    this.#needed = HEADER_BYTES;
    while (bytes.length - at >= HEADER_BYTES) {
      this.#needed = KIND_BYTES + bytes.readUInt32BE(at + KIND_BYTES);
      if (bytes.length - at < this.#needed) break;
      this.#onMessage(bytes, at, at + this.#needed);
      at += this.#needed;
      this.#needed = HEADER_BYTES;
    }
    this.#bytes = bytes.length - at;
    if (this.#bytes === 0) return;
    this.#pieces = [at === 0 ? bytes : bytes.subarray(at)];
  }
}
