import type { LiteSvmLike } from "./lite-svm.ts";

/** Blocks in which a transaction may use a blockhash, as on every cluster. */
const VALID_BLOCKS = 150;

/**
 * Blockhashes that were answered, with the block height of the answer. LiteSVM takes only its newest blockhash, until it
 * is expired by hand. Clusters change it with each block and take the newest 150.
 */
export class Blockhashes {
  readonly #svm: LiteSvmLike;
  readonly #issued = new Map<string, number>();

  constructor(svm: LiteSvmLike) {
    this.#svm = svm;
  }

  /** The same one for as long as no block is added. */
  latest(height: number): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    this.dropExpired(height);
    const issuedAt = this.#issued.get(this.#svm.latestBlockhash());
    if (issuedAt !== undefined && issuedAt !== height) this.#svm.expireBlockhash();
    const blockhash = this.#svm.latestBlockhash();
    this.#issued.set(blockhash, height);
    return { blockhash, lastValidBlockHeight: height + VALID_BLOCKS };
  }

  isValid(blockhash: string, height: number): boolean {
    this.dropExpired(height);
    return this.#issued.has(blockhash) || blockhash === this.#svm.latestBlockhash();
  }

  dropExpired(height: number): void {
    for (const [blockhash, issuedAt] of this.#issued) {
      if (height <= issuedAt + VALID_BLOCKS) continue;
      this.#issued.delete(blockhash);
      if (blockhash === this.#svm.latestBlockhash()) this.#svm.expireBlockhash();
    }
  }
}
