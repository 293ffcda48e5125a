import type { Random } from "@lamplight/devchain";

/** A field of a message: its number, and its bytes after the tag. */
interface Field {
  readonly number: number;
  readonly kind: number;
  readonly body: Uint8Array;
}

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
/** No message that is known uses any from here on. */
const UNKNOWN_FROM = 50;

/**
 * One protobuf message, written with every freedom that writers have: fields in any order, defaults left out or not,
 * longer varints than needed, fields that no one knows, single fields reported twice (the last counts).
 */
export class LooseWire {
  readonly #random: Random;
  readonly #fields: Field[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  number(number: number, value: bigint): this {
    if (value === 0n && this.#random.percent(60)) return this;
    if (this.#random.percent(5)) this.#add(number, wire.varint, this.varint(BigInt(this.#random.u32())));
    return this.#add(number, wire.varint, this.varint(value));
  }

  /** Absent where null: presence itself says something. */
  optional(number: number, value: bigint | null): this {
    return value === null ? this : this.#add(number, wire.varint, this.varint(value));
  }

  bytes(number: number, value: Uint8Array): this {
    if (value.length === 0 && this.#random.percent(60)) return this;
    return this.#add(number, wire.bytes, Buffer.concat([this.varint(BigInt(value.length)), value]));
  }

  text(number: number, value: string): this {
    return this.bytes(number, Buffer.from(value));
  }

  /** Present even where it is empty. */
  message(number: number, value: Uint8Array): this {
    return this.#add(number, wire.bytes, Buffer.concat([this.varint(BigInt(value.length)), value]));
  }

  repeated(number: number, values: readonly Uint8Array[]): this {
    for (const value of values) this.message(number, value);
    return this;
  }

  /** Numbers in one list, or each in a field of its own: readers take both. */
  numbers(number: number, values: readonly bigint[]): this {
    if (this.#random.percent(50))
      return this.bytes(number, Buffer.concat(values.map((value) => this.varint(value))));
    for (const value of values) this.#add(number, wire.varint, this.varint(value));
    return this;
  }

  end(): Uint8Array {
    for (let count = this.#random.below(3); count > 0; count -= 1) this.#addUnknown();
    return Buffer.concat(
      this.#shuffled().flatMap(({ number, kind, body }) => [this.varint(BigInt(number * 8 + kind)), body]),
    );
  }

  varint(value: bigint): Uint8Array {
    const digits: number[] = [];
    for (let rest = value; rest > 0n || digits.length === 0; rest >>= 7n) digits.push(Number(rest & 127n));
    while (digits.length < 10 && this.#random.percent(4)) digits.push(0);
    return Uint8Array.from(digits, (digit, index) => (index < digits.length - 1 ? digit | 128 : digit));
  }

  #add(number: number, kind: number, body: Uint8Array): this {
    this.#fields.push({ number, kind, body });
    return this;
  }

  #addUnknown(): void {
    const random = this.#random;
    const number = UNKNOWN_FROM + random.below(1000);
    const some = random.bytes(random.below(40));
    const kind = [wire.varint, wire.fixed64, wire.bytes, wire.fixed32][random.below(4)]!;
    const body = {
      [wire.varint]: () => this.varint(random.u64()),
      [wire.fixed64]: () => random.bytes(8),
      [wire.bytes]: () => Buffer.concat([this.varint(BigInt(some.length)), some]),
      [wire.fixed32]: () => random.bytes(4),
    }[kind]();
    this.#add(number, kind, body);
  }

  /** The fields in any order, but those of one number in theirs. */
  #shuffled(): readonly Field[] {
    if (this.#random.percent(50)) return this.#fields;
    const places = new Map<number, number>();
    for (const { number } of this.#fields) places.set(number, this.#random.u32());
    return this.#fields.toSorted((a, b) => places.get(a.number)! - places.get(b.number)!);
  }
}
