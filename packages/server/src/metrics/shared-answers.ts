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

  remove(take: Take): void {
    this.#asked.delete(take);
    this.#next.delete(take);
  }

  onAnswer(answer: ProbeText): void {
    for (const take of this.#asked) take(answer);
    this.#asked.clear();
    setTimeout(() => {
      this.#isAsking = false;
      this.#goOn();
    }, GAP_MS);
  }

  #goOn(): void {
    if (this.#isAsking || this.#next.size === 0) return;
    this.#isAsking = true;
    [this.#asked, this.#next] = [this.#next, this.#asked];
    this.#ask();
  }
}
