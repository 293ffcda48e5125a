/** A value as it goes on the wire. `bigint` is written digit by digit; a plain number must be an integer or a JSON number as JavaScript prints it. */
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

/** JSON text that is already finished: spliced in as it is. */
export class JsonRaw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
