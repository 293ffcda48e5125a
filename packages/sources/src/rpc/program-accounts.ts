import type { Account, Slot } from "@lamplight/core";

/** Some accounts of a program, each as of its own slot. */
export interface ProgramBatch {
  /** No account is of a later slot. */
  readonly slot: Slot;
  readonly accounts: readonly Account[];
}

/** Accounts of a program that follow one address in the order of their places. */
export interface ProgramAccounts {
  /** How many they are. Those that are closed while others are read are counted, and not in `batches`. */
  readonly count: number;
  readonly batches: AsyncIterable<ProgramBatch>;
}

/** The places of all accounts of a program. Each part is sorted when it is read, so that other work gets its turns. */
export class ProgramPlaces {
  readonly #byFirst: string[][] = Array.from({ length: 256 }, () => []);

  add(place: string): void {
    this.#byFirst[place.charCodeAt(0)]!.push(place);
  }

  /** Ascending, in lists of at most so many. @param after - null = from the first one on */
  *listsAfter(after: string | null, size: number): Generator<readonly string[]> {
    for (const bucket of this.#byFirst) {
      const rest = bucket.filter((place) => after === null || place > after).toSorted();
      for (let from = 0; from < rest.length; from += size) yield rest.slice(from, from + size);
    }
  }

  countAfter(after: string | null): number {
    const isRest = (place: string): boolean => after === null || place > after;
    return this.#byFirst.reduce((sum, bucket) => sum + bucket.filter(isRest).length, 0);
  }
}
