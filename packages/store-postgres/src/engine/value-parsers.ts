// What a value of the server becomes here. The driver reads text results only.

const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [17, (text) => parseBytes(text)],
  [20, BigInt],
  [21, Number],
  [23, Number],
  [1016, (text) => parseOrdinals(text)],
]);

/** Every `bigint` column is a bigint, as everything that can pass 2^53 lies in one. */
export const valueParsers = {
  getTypeParser: (type: number): ((text: string) => unknown) => parsers.get(type) ?? asText,
};

const asText = (text: string): string => text;

/** Every value as the server writes it. */
export const asWritten: typeof valueParsers = { getTypeParser: () => asText };

/** `\x` and two digits per byte. The array has a buffer of its own, so that keeping it keeps nothing else alive. */
const parseBytes = (text: string): Uint8Array => {
  const bytes = new Uint8Array((text.length - 2) / 2);
  Buffer.from(bytes.buffer).write(text.slice(2), "hex");
  return bytes;
};

/** A list of ordinals comes as one array. */
const parseOrdinals = (text: string): Uint32Array =>
  text === "{}" ? new Uint32Array(0) : Uint32Array.from(text.slice(1, -1).split(","), Number);
