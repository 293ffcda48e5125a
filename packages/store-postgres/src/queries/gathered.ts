/** Replaces a row that is larger than a round brings. */
export const LARGE = Symbol("large");

/** The largest account, document or off-chain document that is brought together with others: 32 KiB. */
export const GATHERED_BYTES_MAX = 32 << 10;
/** Keys of one statement: with two such documents each, together at most 8 MiB. */
const KEYS_MAX = 128;

interface Lookups<Key, Found> {
  /** One statement for all: same order and length as `keys`, `LARGE` for rows over `GATHERED_BYTES_MAX`. */
  readonly findAll: (keys: readonly Key[]) => Promise<readonly (Found | typeof LARGE)[]>;
  readonly findOne: (key: Key) => Promise<Found>;
  /** Whether a statement can still be sent after one failed: an error of the server ends the transaction. */
  readonly isUsable: () => boolean;
}

/** Someone who waits for what is found. */
interface Waiting<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found | PromiseLike<Found>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lookups of calls that run side by side, as one statement a round. A round ends when every call waits. Large rows are
 * read one at a time, because each may have megabytes.
 */
export class Gathered<Key, Found> {
  readonly #lookups: Lookups<Key, Found>;
  #waiting: Waiting<Key, Found>[] = [];
  /** Settled when the last large row was read. */
  #alone: Promise<unknown> = Promise.resolve();

  constructor(lookups: Lookups<Key, Found>) {
    this.#lookups = lookups;
  }

  find(key: Key): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      // It runs when no promise is left that can go on.
      if (this.#waiting.length === 1) process.nextTick(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) await this.#answer(this.#waiting.splice(0, KEYS_MAX));
  }

  async #answer(asked: readonly Waiting<Key, Found>[]): Promise<void> {
    let found: readonly (Found | typeof LARGE)[] | null = null;
    try {
      found = await this.#lookups.findAll(asked.map(({ key }) => key));
    } catch (error) {
      if (!this.#lookups.isUsable()) return asked.forEach(({ reject }) => reject(error));
    }
    // Where a row cannot be read, each call gets its own error.
    for (const [index, { key, resolve }] of asked.entries()) {
      const one = found === null ? LARGE : found[index]!;
      resolve(one === LARGE ? this.#findAlone(key) : (one as Found));
    }
  }

  #findAlone(key: Key): Promise<Found> {
    const found = this.#alone.then(() => this.#lookups.findOne(key));
    this.#alone = found.catch(() => undefined);
    return found;
  }
}
