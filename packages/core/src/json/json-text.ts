/** A value that can be written as JSON. A `bigint` keeps all its digits; a `number` is written as JavaScript prints it. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonFloat
  | JsonRaw
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue | undefined };

/** A float that is written as Agave writes it: `1.0`, `1e-6`, `1e+16`; NaN and infinities as `null`. */
export class JsonFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** JSON text that is already finished; it is inserted without a change. */
export class JsonRaw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

declare const meaning: unique symbol;

/**
 * Finished JSON text of a `Value` of the contract. Only `writeJson`, the writers of `objectWriter` and `listJson` make one
 * from values; `storedJson` takes one that was made earlier.
 */
export type JsonText<Value> = string & { readonly [meaning]: Value };

/** Text that was finished earlier, as a store or a cache kept it. Nothing checks that it is JSON of a `Value`. */
export const storedJson = <Value>(text: string): JsonText<Value> => text as JsonText<Value>;

/**
 * The type that `writeJson` takes for a `Value` of the contract: the same members, floats and finished text where they
 * belong.
 */
export type JsonOf<Value> = unknown extends Value
  ? JsonValue
  : Value extends number | bigint
    ? number | bigint | JsonFloat
    : Value extends string | boolean | null | undefined
      ? Value
      : { readonly [Member in keyof Value]: JsonOf<Value[Member]> };
