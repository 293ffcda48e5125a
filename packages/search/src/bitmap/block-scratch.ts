import {
  BLOCK_SIZE,
  clearBits,
  type Container,
  has,
  LIST_MEMBERS_MAX,
  type ListContainer,
  mergeLists,
  NOT_COUNTED,
  setBits,
} from "./container.ts";

const WORDS = BLOCK_SIZE / 32;

/** Memory for one block at a time that is put together of two others. An answer is valid until the next one. */
export class BlockScratch {
  #words: Uint32Array | null = null;
  #values: Uint16Array | null = null;

  and(a: Container, b: Container): Container | undefined {
    if (a.kind === "list") return this.#filter(a, b, true);
    if (b.kind === "list") return this.#filter(b, a, true);
    const words = this.#ownWords();
    for (let index = 0; index < WORDS; index++) words[index] = a.words[index]! & b.words[index]!;
    return { kind: "bits", words, count: NOT_COUNTED };
  }

  or(a: Container, b: Container): Container {
    if (a.kind === "list" && b.kind === "list") {
      const values = this.#ownValues();
      if (a.values.length + b.values.length <= values.length)
        return { kind: "list", values: values.subarray(0, mergeLists(a.values, b.values, values)) };
    }
    if (a.kind === "list" && b.kind === "bits") return this.or(b, a);
    const words = this.#ownWords();
    if (a.kind === "bits") words.set(a.words);
    else setBits(words.fill(0), a.values);
    if (b.kind === "list") {
      const count = a.kind === "bits" ? a.count : a.values.length;
      return { kind: "bits", words, count: count + setBits(words, b.values) };
    }
    for (let index = 0; index < WORDS; index++) words[index]! |= b.words[index]!;
    return { kind: "bits", words, count: NOT_COUNTED };
  }

  /** Members of a that are not in b. */
  andNot(a: Container, b: Container): Container | undefined {
    if (a.kind === "list") return this.#filter(a, b, false);
    const words = this.#ownWords();
    if (b.kind === "list") {
      words.set(a.words);
      return { kind: "bits", words, count: a.count - clearBits(words, b.values) };
    }
    for (let index = 0; index < WORDS; index++) words[index] = a.words[index]! & ~b.words[index]!;
    return { kind: "bits", words, count: NOT_COUNTED };
  }

  /** Members of a list that are, or are not, in `other`. */
  #filter({ values }: ListContainer, other: Container, isIn: boolean): Container | undefined {
    const kept = this.#ownValues();
    let length = 0;
    if (other.kind === "bits") {
      const { words } = other;
      for (const low of values)
        if (((words[low >>> 5]! & (1 << (low & 31))) !== 0) === isIn) kept[length++] = low;
    } else for (const low of values) if (has(other, low) === isIn) kept[length++] = low;
    return length === 0 ? undefined : { kind: "list", values: kept.subarray(0, length) };
  }

  #ownWords(): Uint32Array {
    this.#words ??= new Uint32Array(WORDS);
    return this.#words;
  }

  #ownValues(): Uint16Array {
    this.#values ??= new Uint16Array(LIST_MEMBERS_MAX);
    return this.#values;
  }
}
