import { REOPEN_FIRST_MS, REOPEN_MAX_MS } from "./settings.ts";

export interface BackOffOptions {
  readonly firstMs?: number;
  readonly maxMs?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
  /** 0 to 1. */
  readonly random?: () => number;
}

/**
 * Bounds attempts at something that fails for all callers alike. After a failure, attempts run one at a time, with
 * growing random waits. Callers in between get the last error at once.
 */
export class BackOff {
  readonly #options: Required<BackOffOptions>;
  /** Failures in a row. */
  #failures = 0;
  #notBeforeMs = 0;
  #error: unknown;
  #trial: Promise<unknown> | null = null;

  constructor({
    firstMs = REOPEN_FIRST_MS,
    maxMs = REOPEN_MAX_MS,
    now = () => performance.now(),
    random = Math.random,
  }: BackOffOptions = {}) {
    this.#options = { firstMs, maxMs, now, random };
  }

  /** @throws the error of `body`, or its last one */
  async attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    while (this.#failures > 0) {
      if (this.#trial === null) return this.#try(body);
      // Every waiting caller gets its error.
      await this.#trial;
    }
    return this.#run(body);
  }

  #try<Result>(body: () => Promise<Result>): Promise<Result> {
    if (this.#options.now() < this.#notBeforeMs) throw this.#error;
    const trial = this.#run(body).finally(() => {
      this.#trial = null;
    });
    this.#trial = trial;
    return trial;
  }

  async #run<Result>(body: () => Promise<Result>): Promise<Result> {
    try {
      const result = await body();
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  /** Failures of attempts that started together count once. */
  #failed(error: unknown): void {
    const { firstMs, maxMs, now, random } = this.#options;
    this.#error = error;
    if (now() < this.#notBeforeMs) return;
    const longest = Math.min(maxMs, firstMs * 2 ** this.#failures);
    this.#notBeforeMs = now() + longest * (1 - random() / 2);
    this.#failures += 1;
  }
}
