/**
 * JSON text of a value in which a bigint is a whole number, written digit by digit. `undefined` is left out of
 * objects and is null in arrays, as `JSON.stringify` has it. A `PublicKey` (anything with `toBase58`) is its address.
 * A number that JSON lacks, such as NaN, is a text: servers refuse it by name, while null would leave a filter out.
 *
 * ```ts
 * stringifyExact({ supply: 18446744073709551615n }); // {"supply":18446744073709551615}
 * ```
 */
export const stringifyExact = (value: unknown): string => {
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  if (typeof value === "number") return `"${value}"`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(stringifyExact).join(",")}]`;
  if (isKey(value)) return JSON.stringify(value.toBase58());
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : JSON.stringify(name) + ":" + stringifyExact(member),
  );
  return `{${members.join(",")}}`;
};

/** Whether a value writes itself as an address. */
export const isKey = (value: object): value is { toBase58(): string } =>
  typeof (value as { toBase58?: unknown }).toBase58 === "function";
