/** What rows of a program's accounts need beside the columns. */
export type ProgramKind = "token" | "stake" | "other";

/** Programs by the order of their coming in one batch; the programs of neighbours are often the same. */
export class ProgramNumbers {
  readonly #kindOfProgram: (program: Uint8Array) => ProgramKind;
  /** By the first word; programs that share it are told apart by all bytes. */
  readonly #byWord = new Map<number, number[]>();
  readonly #addresses: Buffer[] = [];
  readonly #kinds: ProgramKind[] = [];

  constructor(kindOfProgram: (program: Uint8Array) => ProgramKind) {
    this.#kindOfProgram = kindOfProgram;
  }

  /** @param words - the same memory as `bytes` */
  numberOf(bytes: Buffer, words: Uint32Array, at: number): number {
    const word = words[at >>> 2] as number;
    let numbers = this.#byWord.get(word);
    if (numbers === undefined) {
      numbers = [];
      this.#byWord.set(word, numbers);
    }
    for (const number of numbers) if (isAt(this.#addresses[number] as Buffer, bytes, at)) return number;
    const number = this.#addresses.length;
    const address = Buffer.from(bytes.subarray(at, at + 32));
    this.#addresses.push(address);
    this.#kinds.push(this.#kindOfProgram(address));
    numbers.push(number);
    return number;
  }

  kindOf(number: number): ProgramKind {
    return this.#kinds[number] as ProgramKind;
  }

  written(): Uint8Array {
    const bytes = new Uint8Array(32 * this.#addresses.length);
    for (const [number, address] of this.#addresses.entries()) bytes.set(address, 32 * number);
    return bytes;
  }
}

const isAt = (address: Buffer, bytes: Buffer, at: number): boolean => {
  for (let index = 0; index < 32; index += 1) if (address[index] !== bytes[at + index]) return false;
  return true;
};
