import { isLamplightError } from "@lamplight/errors";

import type { Log } from "../log/log.ts";

/**
 * Whether any read has met damage in the store. It stays so until a restart: readiness itself reads other pages, and
 * would not find it again.
 */
export class StoreDamage {
  readonly #log: Log;
  #isFound = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** The caller calls it with every error of a read. The first that is damage is logged with its cause. */
  note(error: unknown): void {
    if (this.#isFound || !isDamage(error)) return;
    this.#isFound = true;
    this.#log.error({ err: error }, "the store is damaged; not ready until a restart");
  }
}

/** An open store that turns out to be none has a damaged first page. */
const isDamage = (error: unknown): boolean =>
  isLamplightError(error, "STORE__CORRUPT") || isLamplightError(error, "STORE__NOT_A_STORE");
