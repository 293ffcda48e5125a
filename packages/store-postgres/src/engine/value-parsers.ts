// Parsers that turn fields of rows into values. Integers and booleans in binary were read already.

import { brokenInvariant } from "@lamplight/errors";

type Parser = (field: never) => unknown;

/** The driver asks this object for parsers. */
export interface ValueParsers {
  readonly getTypeParser: (type: number, format: string) => (field: never) => unknown;
}

const asItIs: Parser = (field) => field;

/** The server answers statements without parameters in text. */
const textParsers = new Map<number, Parser>([
  [16, (text: string) => text === "t"],
  [20, (text: string) => BigInt(text)],
  [21, Number],
  [23, Number],
]);

/** The array has a buffer of its own, so that keeping it keeps nothing else alive. */
const ownBytes = (view: Uint8Array): Uint8Array => view.slice();

const textOf = (view: Buffer): string => view.toString("utf8");

/** A list of ordinals: dimensions, flags and type come first, then the length and a bound; each has four bytes before it. */
const ordinalsOf = (view: Buffer): Uint32Array => {
  const ordinals = new Uint32Array(view.length <= ARRAY_HEADER_BYTES ? 0 : view.readInt32BE(12));
  for (const index of ordinals.keys())
    ordinals[index] = view.readUInt32BE(ARRAY_HEADER_BYTES + index * 12 + 8);
  return ordinals;
};

const ARRAY_HEADER_BYTES = 20;

const binaryParsers = new Map<number, Parser>([
  [16, asItIs],
  [17, ownBytes],
  [19, textOf],
  [20, asItIs],
  [21, asItIs],
  [23, asItIs],
  [25, textOf],
  [1016, ordinalsOf],
  // This is the type of functions that answer nothing.
  [2278, () => null],
]);

/** Every `bigint` column is a bigint, as everything that can pass 2^53 lies in one. */
export const valueParsers: ValueParsers = {
  getTypeParser: (type, format) =>
    format === "binary" ? (binaryParsers.get(type) ?? unreadable(type)) : (textParsers.get(type) ?? asItIs),
};

const unreadable = (type: number) => (): never => {
  throw brokenInvariant(`nothing reads columns of type ${type}`);
};

const viewParsers = new Map<number, Parser>([...binaryParsers, [17, asItIs], [25, asItIs]]);

/** The same, with bytes and texts as views: all of a chunk stays in memory with one of them. */
export const viewingParsers: ValueParsers = {
  getTypeParser: (type, format) =>
    format === "binary" && viewParsers.has(type)
      ? viewParsers.get(type)!
      : valueParsers.getTypeParser(type, format),
};

/** Every value as the server writes it. */
export const asWritten: ValueParsers = { getTypeParser: () => asItIs };
