/**
 * JSON text of a value in which a bigint is a whole number, written digit by digit. `undefined` is left out of
 * objects and is null in arrays, as `JSON.stringify` has it.
 */
export const writeExact = (value: unknown): string => {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(writeExact).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${writeExact(member)}`);
  return `{${members.join(",")}}`;
};
