// Expressions of the WebAssembly text format.

export const get = (local: string): string => `(local.get $${local})`;
export const set = (local: string, value: string): string => `(local.set $${local} ${value})`;
export const i32 = (value: number): string => `(i32.const ${value})`;
export const op = (name: string, ...operands: readonly string[]): string => `(${name} ${operands.join(" ")})`;

/** A vector of four words. */
export const words = (values: readonly number[]): string => `(v128.const i32x4 ${values.join(" ")})`;
export const splat = (word: number): string => words([word, word, word, word]);

/** Loads from an address and an offset in bytes, at any alignment. */
export const load = (address: string, offset: number, name = "v128.load"): string =>
  `(${name} offset=${offset} align=1 ${get(address)})`;

/** Loads one word into all four lanes. */
export const loadSplat = (address: string, offset: number): string =>
  load(address, offset, "v128.load32_splat");

export const store = (address: string, offset: number, value: string): string =>
  `(v128.store offset=${offset} align=1 ${get(address)} ${value})`;

/** Picks words of two vectors, 0 to 7. */
export const shuffle = (one: string, other: string, picked: readonly number[]): string => {
  const bytes = picked.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte));
  return op("i8x16.shuffle", ...bytes.map(String), one, other);
};

/** Adds a constant to a local of 32 bits. */
export const step = (local: string, by: number): string => set(local, op("i32.add", get(local), i32(by)));

/** Repeats the body, once at least, while a counter is below its end. */
export const loopWhileBelow = (body: readonly string[], counter: string, end: string): string =>
  op("loop", ...body, op("br_if", "0", op("i32.lt_s", get(counter), end)));

/** An exported function of 32-bit parameters, without a result. */
export const exported = (
  name: string,
  locals: {
    readonly parameters: readonly string[];
    readonly vectors: readonly string[];
    readonly integers?: readonly string[];
  },
  body: readonly string[],
): string =>
  op(
    "func",
    `(export "${name}")`,
    ...locals.parameters.map((local) => `(param $${local} i32)`),
    ...locals.vectors.map((local) => `(local $${local} v128)`),
    ...(locals.integers ?? []).map((local) => `(local $${local} i32)`),
    ...body,
  );
