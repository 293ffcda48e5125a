import { nearestName } from "@lamplight/core";

import { validateConfig } from "./generated/validate-config.ts";

/** A fault of a configuration: its place and its reason. */
export interface ConfigFault {
  /** The path of the member, such as `limits.bodyBytes` or `keys[2]`; empty for the whole. */
  readonly field: string;
  /**
   * Describes what is wrong, as the rest of a sentence that begins with the field. Never repeats a value: it may be a
   * key.
   */
  readonly reason: string;
}

/** An error of the validator that the build generates. */
interface Fault {
  /** A JSON pointer. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: { readonly additionalProperty?: string };
  readonly data: unknown;
  readonly parentSchema: {
    readonly type?: string;
    readonly enum?: readonly unknown[];
    readonly pattern?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly properties?: object;
  };
}

interface Validate {
  (value: unknown): boolean;
  /** One at most: validation ends with the first. */
  readonly errors: readonly Fault[] | null;
}

const validate = validateConfig as unknown as Validate;

/** The first thing in `value` that a configuration does not allow, or null. */
export const findConfigFault = (value: unknown): ConfigFault | null => {
  const fault = validate(value) ? undefined : validate.errors?.[0];
  if (fault === undefined) return null;
  const field = fieldOf(fault.instancePath);
  const unknown = fault.params.additionalProperty;
  if (unknown === undefined) return { field, reason: reasonOf(fault) };
  const known = Object.keys(fault.parentSchema.properties ?? {});
  return {
    field: `${field === "" ? "" : `${field}.`}${unknown.slice(0, 64)}`,
    reason: `is not a known setting${nameHint(unknown, known)}`,
  };
};

const nameHint = (name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? `; known are ${known.join(", ")}` : `; did you mean ${nearest}?`;
};

/** Names on the way to a value are those of settings, which need no escapes. */
const fieldOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/gu, "[$1]")
    .replaceAll("/", ".");

const reasonOf = ({ keyword, data, parentSchema }: Fault): string => {
  const { type = "", enum: values = [], pattern, minimum, maximum } = parentSchema;
  switch (keyword) {
    case "type":
      return `must be ${withArticle(type)}, not ${withArticle(typeName(data))}`;
    case "enum":
      return `must be one of ${values.join(", ")}`;
    case "minLength":
      return "must not be empty";
    case "pattern":
      return `must match ${pattern}`;
    default:
      return `must be from ${minimum ?? Number.NEGATIVE_INFINITY} to ${maximum ?? Number.POSITIVE_INFINITY}`;
  }
};

const typeName = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

const withArticle = (name: string): string => {
  if (name === "null") return name;
  return `${/^[aeiou]/u.test(name) ? "an" : "a"} ${name}`;
};
