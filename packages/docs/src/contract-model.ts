export type Schema = { [keyword: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly "x-aliases"?: readonly string[];
  readonly "x-lamplight-extension"?: boolean;
}

export interface ExternalDocs {
  readonly description: string;
  readonly url: string;
}

/** The recorded examples of one method. */
export interface MethodExamples {
  /** Each a positional call: its values in order, null for a position that is not used. */
  readonly examples: readonly ContractExample[];
  /** Calls with a parameter that has no position. Tools of OpenRPC would send them by position, so they are apart. */
  readonly "x-by-name-examples"?: readonly ContractExample[];
  readonly "x-error-examples"?: readonly ErrorExample[];
}

export interface ContractMethod extends MethodExamples {
  readonly name: string;
  readonly summary: string;
  /** Paragraphs, separated by empty lines. */
  readonly description: string;
  readonly externalDocs: ExternalDocs;
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
    readonly externalDocs?: ExternalDocs;
  }[];
  readonly params: readonly Parameter[];
  readonly "x-by-name-params"?: readonly Parameter[];
  readonly result: { readonly name: string; readonly schema: Schema };
  readonly errors: readonly { readonly $ref: string }[];
}

/** The meaning of an error, and our own names for the refusals behind it, each with its HTTP status. */
export interface ErrorAbout {
  readonly meaning: string;
  /** Advice to the caller. */
  readonly fix: string;
  readonly names: { readonly [name: string]: number };
}

/** A call that is refused, as it is sent. */
export interface ErrorExample {
  readonly name: string;
  readonly params: unknown;
  readonly error: unknown;
}

/** A request that is refused before any method sees it. */
export interface RefusedRequestExample {
  readonly name: string;
  readonly key?: string;
  /** The server that was asked, where it was not that of the demo chain. */
  readonly server?: string;
  readonly body: string;
  readonly status: number;
  readonly error: unknown;
}

export interface ContractExample {
  readonly name: string;
  readonly summary?: string;
  readonly params: readonly { readonly name: string; readonly value: unknown }[];
  readonly result: { readonly name: string; readonly value: unknown };
}

export interface Contract {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly methods: readonly ContractMethod[];
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly errors: { readonly [name: string]: { readonly code: number; readonly message: string } };
  };
  readonly "x-errors": { readonly [name: string]: ErrorAbout };
  readonly "x-refused-requests"?: readonly RefusedRequestExample[];
}

/** All parameters of a method, positional ones first. */
export const parametersOf = (
  method: ContractMethod,
): readonly (Parameter & { readonly byNameOnly: boolean })[] => [
  ...method.params.map((parameter) => ({ ...parameter, byNameOnly: false })),
  ...(method["x-by-name-params"] ?? []).map((parameter) => ({ ...parameter, byNameOnly: true })),
];

/** Every example of a method, whichever way it is sent. */
export const examplesOf = (method: ContractMethod): readonly ContractExample[] => [
  ...method.examples,
  ...(method["x-by-name-examples"] ?? []),
];

/** The parameters of an example by name, without positions that are not used. */
export const namedParams = ({ params }: ContractExample): Readonly<Record<string, unknown>> =>
  Object.fromEntries(params.filter(({ value }) => value !== null).map(({ name, value }) => [name, value]));

/** The schema of a value that is there: null, which stands for an unused position, is taken out. */
export const withoutNull = (schema: Schema): Schema => {
  const { anyOf } = schema as { anyOf?: readonly Schema[] };
  const rest = anyOf?.filter((one) => one["type"] !== "null");
  return anyOf !== undefined && rest!.length === 1 && rest!.length < anyOf.length ? rest![0]! : schema;
};

/** Whether the schema is of an integer from 0 to 2^64 - 1. `format` would stop validators that do not know the word. */
export const isUint64 = (schema: Schema): boolean => schema["x-format"] === "uint64";

/** `#/components/schemas/Asset` gives `Asset`; null when the schema is not just a reference. */
export const referenceOf = (schema: Schema): string | null =>
  typeof schema["$ref"] === "string" ? schema["$ref"].slice(schema["$ref"].lastIndexOf("/") + 1) : null;
