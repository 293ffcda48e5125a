import { type MethodParameter, methods } from "@lamplight/contract";
import { parseExact } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { addressOf } from "../address-words.ts";

const namePattern = /^([A-Za-z]\w*(?:\.\w+)*)=(.*)$/su;
/** A number that no address can be: those have 32 digits or more. */
const shortNumber = /^-?\d{1,20}(?:\.\d+)?$/u;
const words: ReadonlySet<string> = new Set(["true", "false", "null"]);

/**
 * Parameters from the command line: positions, then `name=value`; or one JSON object of names.
 *
 * @returns undefined for none
 * @throws LamplightError `CLI__USAGE`
 */
export const readParams = (method: string, args: readonly string[]): unknown => {
  if (args.length === 0) return undefined;
  const parameters = Object.hasOwn(methods, method) ? methods[method as keyof typeof methods].params : null;
  const firstName = args.findIndex((arg) => namePattern.test(arg));
  if (firstName >= 0) return readNames(args, firstName, parameters);
  const values = args.map((arg, index) => readValue(arg, parameters?.[index] ?? null));
  const [first] = values;
  return values.length === 1 && isMembers(first) && isByName(first, parameters) ? first : values;
};

/** Arguments before the first name are named by their position. */
const readNames = (
  args: readonly string[],
  firstName: number,
  parameters: readonly MethodParameter[] | null,
): Record<string, unknown> => {
  const named: Record<string, unknown> = {};
  for (const [index, arg] of args.entries()) {
    const parts = namePattern.exec(arg);
    const path = parts?.[1] ?? (index < firstName ? parameters?.[index]?.name : undefined);
    if (path === undefined) throw usageError("positions come before name=value; see lamplight call --help");
    const names = path.split(".");
    const parameter = names.length > 1 ? null : findParameter(names[0]!, parameters);
    setAt(named, names, readValue(parts?.[2] ?? arg, parameter), path);
  }
  return named;
};

/** `config.encoding=base64` is a member of `config`. */
const setAt = (
  target: Record<string, unknown>,
  names: readonly string[],
  value: unknown,
  path: string,
): void => {
  const [name = "", ...rest] = names;
  const known = Object.hasOwn(target, name) ? target[name] : undefined;
  if (rest.length === 0) {
    if (known !== undefined) throw usageError(`${path} was given twice`);
    target[name] = value;
    return;
  }
  if (known !== undefined && !isMembers(known)) throw usageError(`${path}: ${name} was given another value`);
  const inner = known ?? {};
  target[name] = inner;
  setAt(inner, rest, value, path);
};

const findParameter = (name: string, parameters: readonly MethodParameter[] | null): MethodParameter | null =>
  parameters?.find((each) => each.name === name || each.aliases.includes(name)) ?? null;

/** Only getLargestAccounts begins with an object; a single object is by name if it has no other names than parameters. */
const isByName = (value: Record<string, unknown>, parameters: readonly MethodParameter[] | null): boolean =>
  parameters === null ||
  parameters[0]?.members.length === 0 ||
  Object.keys(value).every((name) => findParameter(name, parameters) !== null);

/** Text unless it is meant as JSON: an address of digits only is no number. */
const readValue = (text: string, parameter: MethodParameter | null): unknown => {
  const isCounted = parameter?.type === "integer" || parameter?.type === "boolean";
  const isStructure = /^\s*[{["]/u.test(text);
  if (!isStructure && text !== "null" && !(isCounted || (parameter === null && isScalar(text)))) {
    return parameter?.type === "Address" ? (addressOf(text) ?? text) : text;
  }
  try {
    return parseExact(text);
  } catch (cause) {
    if (!isStructure) return text;
    throw usageError(
      `${JSON.stringify(text.slice(0, 64))} begins like JSON and is not: ${(cause as Error).message}`,
    );
  }
};

const isScalar = (text: string): boolean => shortNumber.test(text) || words.has(text);

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
