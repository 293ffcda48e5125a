// Writes arrays in the server's binary format. The driver would send them as text, with two digits per byte and every
// quote escaped.

/** Types of array elements, with the number of each in the server's catalogue. */
export const elementTypes = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  smallint: 21,
  integer: 23,
  text: 25,
} as const;

export type ElementType = keyof typeof elementTypes;
export type Element = Uint8Array | string | number | bigint | boolean | null;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * An array that a statement binds, as an expression of which the server knows nothing while it plans. With the parameter
 * itself, it would plan the statement again for each array, which takes longer than to read the rows.
 *
 * @param parameter - such as `$1`
 */
export const unseenArray = (parameter: string, type: ElementType): string =>
  `(SELECT ${parameter}::${type}[])::${type}[]`;

/** One parameter that holds all `elements`; in SQL it is cast to `TYPE[]`. */
export const arrayParameter = (type: ElementType, elements: readonly Element[]): Buffer => {
  const { sizeOf, write } = elementEncoders[type];
  const total = elements.reduce<number>(
    (sum, element) => sum + LENGTH_BYTES + (element === null ? 0 : sizeOf(element)),
    HEADER_BYTES,
  );
  const buffer = Buffer.allocUnsafe(total);
  buffer.writeInt32BE(elements.length === 0 ? 0 : 1, 0); // dimensions
  buffer.writeInt32BE(1, 4); // may hold nulls
  buffer.writeInt32BE(elementTypes[type], 8);
  buffer.writeInt32BE(elements.length, 12);
  buffer.writeInt32BE(1, 16); // lower bound
  let at = HEADER_BYTES;
  for (const element of elements) {
    const size = element === null ? -1 : sizeOf(element);
    buffer.writeInt32BE(size, at);
    at += LENGTH_BYTES;
    if (element === null) continue;
    write(buffer, element, at);
    at += size;
  }
  return elements.length === 0 ? buffer.subarray(0, 12) : buffer;
};

/** Approximate bytes of the element in an array. */
export const elementBytes = (element: Element): number =>
  LENGTH_BYTES +
  (element instanceof Uint8Array ? element.length : typeof element === "string" ? 3 * element.length : 8);

interface Encoder {
  readonly sizeOf: (element: Element) => number;
  readonly write: (buffer: Buffer, element: Element, at: number) => void;
}

/** Values as the server reads them in binary, without their lengths. */
export const elementEncoders: Readonly<Record<ElementType, Encoder>> = {
  boolean: { sizeOf: () => 1, write: (buffer, element, at) => buffer.writeUInt8(Number(element), at) },
  bytea: {
    sizeOf: (element) => (element as Uint8Array).length,
    write: (buffer, element, at) => buffer.set(element as Uint8Array, at),
  },
  bigint: {
    sizeOf: () => 8,
    write: (buffer, element, at) => buffer.writeBigInt64BE(BigInt(element as bigint | number), at),
  },
  smallint: { sizeOf: () => 2, write: (buffer, element, at) => buffer.writeInt16BE(Number(element), at) },
  integer: { sizeOf: () => 4, write: (buffer, element, at) => buffer.writeInt32BE(Number(element), at) },
  text: {
    sizeOf: (element) => Buffer.byteLength(element as string),
    write: (buffer, element, at) => buffer.write(element as string, at, "utf8"),
  },
};
