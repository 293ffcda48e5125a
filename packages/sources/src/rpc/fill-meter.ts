import type { FillProgress } from "./rpc-options.ts";

/** Share of a part whose answer was received. The rest is for storing it. */
const ANSWER_SHARE = 0.5;

/** Progress of a filling: of each scan, of the single accounts and of each tree, as far as their size is known. */
export class FillMeter {
  readonly #emit: (progress: FillProgress) => void;
  #total: number;
  #done = 0;
  #count = 0;

  /** @param parts - filled one after the other */
  constructor(parts: number, emit: (progress: FillProgress) => void) {
    this.#total = parts;
    this.#emit = emit;
  }

  /** More parts were found. */
  setParts(parts: number): void {
    this.#total = Math.max(this.#total, parts);
  }

  /** @param total - null = not reported by the node */
  noteBytes(bytes: number, total: number | null): void {
    this.#note(total === null || total === 0 ? 0 : (ANSWER_SHARE * bytes) / total, 0);
  }

  noteStored(stored: number, total: number): void {
    this.#note(total === 0 ? 1 : ANSWER_SHARE + ((1 - ANSWER_SHARE) * stored) / total, stored);
  }

  noteTransactions(done: number, total: number): void {
    this.#note(total === 0 ? 1 : done / total, done);
  }

  /** @param count - accounts or transactions of the part */
  endPart(count: number): void {
    this.#done += 1;
    this.#count += count;
    this.#note(0, 0);
  }

  #note(share: number, count: number): void {
    this.#emit({ done: this.#done + share, total: this.#total, count: this.#count + count });
  }
}
