import type { ToProbe } from "./probe-messages.ts";

export type ProbeText = Omit<ToProbe, "id">;

type Take = (answer: ProbeText) => void;

/** Time between an answer and the next question: writing the metrics of many keys takes the main thread tens of milliseconds. */
const GAP_MS = 250;

/** Answers of the main thread to one question. All who ask it while another answer is under way share the next one. */
export class SharedAnswers {
  readonly #ask: () => void;
  /** Those who get the answer that is under way. */
  #asked = new Set<Take>();
  /** Those who came later. */
  #next = new Set<Take>();
  #isAsking = false;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  add(take: Take): void {
    this.#next.add(take);
    this.#goOn();
  }

  /** One who no longer waits. Where all have left an answer that does not come, it is asked for again. */
  remove(take: Take): void {
    this.#next.delete(take);
    if (!this.#asked.delete(take) || this.#asked.size > 0) return;
    this.#isAsking = false;
    this.#goOn();
  }

  onAnswer(answer: ProbeText): void {
    const asked = this.#asked;
    this.#asked = new Set();
    for (const take of asked) take(answer);
    setTimeout(() => {
      this.#isAsking = false;
      this.#goOn();
    }, GAP_MS);
  }

  #goOn(): void {
    if (this.#isAsking || this.#next.size === 0) return;
    this.#isAsking = true;
    this.#asked = this.#next;
    this.#next = new Set();
    this.#ask();
  }
}
