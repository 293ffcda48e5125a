import { LamplightError } from "@lamplight/errors";
import type { CallRequest } from "./call-request.ts";

/**
 * Bytes that a call with many rows has used so far. Calls that answer one row need no budget: only the size of their
 * answer is checked.
 */
export class CallBudget {
  readonly #request: Pick<CallRequest, "addAnswer" | "removeAnswer" | "settings">;
  #answerBytes = 0;
  #readBytes = 0;

  constructor(request: Pick<CallRequest, "addAnswer" | "removeAnswer" | "settings">) {
    this.#request = request;
  }

  /**
   * Counts bytes of the answer.
   *
   * @param cheaper - what the caller can ask for instead
   * @throws LamplightError `QUERY__OVER_BUDGET` over the bound of an answer, `SERVER__BUSY` over that of all together
   */
  answer(bytes: number, cheaper: () => string): void {
    this.#answerBytes += bytes;
    this.#request.addAnswer(bytes, this.#answerBytes);
    const { answerBytesMax } = this.#request.settings;
    if (this.#answerBytes > answerBytesMax) throw answerTooLarge(answerBytesMax, cheaper());
  }

  /** Ends the call. Its answer is counted elsewhere from now on, or is dropped. */
  end(): void {
    this.#request.removeAnswer(this.#answerBytes);
    this.#answerBytes = 0;
  }

  /**
   * Counts bytes that are read but not part of the answer.
   *
   * @throws LamplightError `QUERY__OVER_BUDGET`
   */
  read(bytes: number, cheaper: () => string): void {
    this.#readBytes += bytes;
    const readBytesMax = READ_ANSWERS_MAX * this.#request.settings.answerBytesMax;
    if (this.#readBytes <= readBytesMax) return;
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `the answer would take over ${readBytesMax} bytes of stored data`,
      cheaper: cheaper(),
    });
  }
}

/** Bytes that may be read for each byte of the answer: search items contain only parts of their documents. */
const READ_ANSWERS_MAX = 4;

export const answerTooLarge = (answerBytesMax: number, cheaper: string): LamplightError =>
  new LamplightError("QUERY__OVER_BUDGET", {
    reason: `the answer is over ${answerBytesMax} bytes`,
    cheaper,
  });
