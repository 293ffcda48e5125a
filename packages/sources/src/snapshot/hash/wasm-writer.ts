// The part of the WebAssembly binary format that a straight-line kernel needs.

/** Unsigned LEB128. */
const leb = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
};

/** Signed LEB128 of a 32-bit integer. */
const signedLeb = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
};

const typeI32 = 0x7f;
const typeV128 = 0x7b;

/** The body of one function. Locals of kind v128 come after the parameters, i32 ones after those. */
export class FunctionWriter {
  readonly parameters: number;
  readonly #code: number[] = [];
  readonly #vectors: number;
  readonly #integers: number;

  constructor(counts: { readonly parameters: number; readonly vectors: number; readonly integers: number }) {
    this.parameters = counts.parameters;
    this.#vectors = counts.vectors;
    this.#integers = counts.integers;
  }

  vector(index: number): number {
    return this.parameters + index;
  }

  integer(index: number): number {
    return this.parameters + this.#vectors + index;
  }

  get(local: number): void {
    this.#code.push(0x20, ...leb(local));
  }

  set(local: number): void {
    this.#code.push(0x21, ...leb(local));
  }

  i32(value: number): void {
    this.#code.push(0x41, ...signedLeb(value));
  }

  i32Add(): void {
    this.#code.push(0x6a);
  }

  i32Less(): void {
    this.#code.push(0x48);
  }

  /** Loops while `condition` leaves something but zero. */
  loop(body: () => void, condition: () => void): void {
    this.#code.push(0x03, 0x40);
    body();
    condition();
    this.#code.push(0x0d, 0x00, 0x0b);
  }

  /** Loads a vector from the address on the stack plus `offset`. */
  load(offset: number): void {
    this.#simd(0x00, ...leb(0), ...leb(offset));
  }

  /** One word in all four lanes. */
  loadSplat(offset: number): void {
    this.#simd(0x09, ...leb(0), ...leb(offset));
  }

  store(offset: number): void {
    this.#simd(0x0b, ...leb(0), ...leb(offset));
  }

  words(values: readonly [number, number, number, number]): void {
    const bytes = new Uint8Array(16);
    const view = new DataView(bytes.buffer);
    for (const [lane, value] of values.entries()) view.setUint32(4 * lane, value, true);
    this.#simd(0x0c, ...bytes);
  }

  /** Bytes of the two vectors on the stack, 0 to 31. */
  shuffleBytes(lanes: readonly number[]): void {
    this.#simd(0x0d, ...lanes);
  }

  /** Words of the two vectors on the stack, 0 to 7. */
  shuffleWords(words: readonly number[]): void {
    this.shuffleBytes(words.flatMap((word) => [4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3]));
  }

  splat(): void {
    this.#simd(0x11);
  }

  replaceLane(lane: number): void {
    this.#simd(0x1c, lane);
  }

  addWords(): void {
    this.#simd(0xae, 0x01);
  }

  addHalves(): void {
    this.#simd(0x8e, 0x01);
  }

  xor(): void {
    this.#simd(0x51);
  }

  or(): void {
    this.#simd(0x50);
  }

  shiftLeft(): void {
    this.#simd(0xab, 0x01);
  }

  shiftRight(): void {
    this.#simd(0xad, 0x01);
  }

  bytes(): number[] {
    const locals = [...leb(2), ...leb(this.#vectors), typeV128, ...leb(this.#integers), typeI32];
    // A flat copy, because spreading a long body into a call would overflow the stack.
    const body = locals.concat(this.#code, [0x0b]);
    return leb(body.length).concat(body);
  }

  #simd(...code: number[]): void {
    this.#code.push(0xfd, ...code);
  }
}

/** A module with one memory and these functions of i32 parameters without results, all exported. */
export const writeModule = (
  pages: number,
  functions: readonly (readonly [string, FunctionWriter])[],
): Uint8Array<ArrayBuffer> => {
  const section = (id: number, body: number[]): number[] => [id].concat(leb(body.length), body);
  const name = (text: string): number[] => [...leb(text.length), ...new TextEncoder().encode(text)];
  const types = functions.flatMap(([, { parameters }]) => [
    0x60,
    ...leb(parameters),
    ...Array.from({ length: parameters }, () => typeI32),
    ...leb(0),
  ]);
  const exported = functions.flatMap(([text], index) => [...name(text), 0x00, ...leb(index)]);
  let code = leb(functions.length);
  for (const [, writer] of functions) code = code.concat(writer.bytes());
  return Uint8Array.from(
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00].concat(
      section(1, [...leb(functions.length), ...types]),
      section(3, [...leb(functions.length), ...functions.flatMap((_, index) => leb(index))]),
      section(5, [...leb(1), 0x00, ...leb(pages)]),
      section(7, [...leb(functions.length + 1), ...name("memory"), 0x02, ...leb(0), ...exported]),
      section(10, code),
    ),
  );
};
