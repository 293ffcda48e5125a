/** Work in steps. The event loop may take a turn between two of them. */
export type Steps = Generator<void, void>;

/** Consumer of the content of one entry. */
export interface EntryConsumer {
  /** Bytes are valid during the call only. */
  write(bytes: Buffer): void;
  end(): void;
}
