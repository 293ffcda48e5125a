/** The kind of a program, which decides what its accounts' rows need in addition to the columns. */
export type ProgramKind = "token" | "stake" | "other";

/** Programs in the order of their first use in a batch. Neighbors often have the same program. */
export class ProgramNumbers {
  readonly #kindOfProgram: (program: Uint8Array) => ProgramKind;
  /** Programs by the first word of their addresses. Programs that share it are distinguished by all bytes. */
  readonly #byWord = new Map<number, number[]>();
  readonly #addresses: Uint32Array[] = [];
  readonly #kinds: ProgramKind[] = [];

  constructor(kindOfProgram: (program: Uint8Array) => ProgramKind) {
    this.#kindOfProgram = kindOfProgram;
  }

  /** @param words - the same memory as `bytes` */
  numberOf(bytes: Buffer, words: Uint32Array, at: number): number {
    const place = at >>> 2;
    const word = words[place] as number;
    let numbers = this.#byWord.get(word);
    if (numbers === undefined) {
      numbers = [];
      this.#byWord.set(word, numbers);
    }
    for (const number of numbers)
      if (isAt(this.#addresses[number] as Uint32Array, words, place)) return number;
    const number = this.#addresses.length;
    this.#addresses.push(words.slice(place, place + ADDRESS_WORDS));
    this.#kinds.push(this.#kindOfProgram(bytes.subarray(at, at + 4 * ADDRESS_WORDS)));
    numbers.push(number);
    return number;
  }

  kindOf(number: number): ProgramKind {
    return this.#kinds[number] as ProgramKind;
  }

  written(): Uint8Array {
    const words = new Uint32Array(ADDRESS_WORDS * this.#addresses.length);
    for (const [number, address] of this.#addresses.entries()) words.set(address, ADDRESS_WORDS * number);
    return new Uint8Array(words.buffer);
  }
}

const ADDRESS_WORDS = 8;

const isAt = (address: Uint32Array, words: Uint32Array, at: number): boolean => {
  for (let index = 0; index < ADDRESS_WORDS; index += 1)
    if (address[index] !== words[at + index]) return false;
  return true;
};
