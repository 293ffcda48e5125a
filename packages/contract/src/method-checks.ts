/** One parameter of a method; positional ones come first, in order. */
export interface MethodParameter {
  readonly name: string;
  readonly required: boolean;
  /** Other names that real clients send. */
  readonly aliases: readonly string[];
  /** Known by name only, without a position. */
  readonly byNameOnly: boolean;
  /** Name of its schema, or the JSON type of one without a name. */
  readonly type: string;
  /** Known members, when the parameter is an object. */
  readonly members: readonly string[];
}

/** Each method of a contract with its parameters. */
export type ParameterTable<MethodName extends string> = {
  readonly [name in MethodName]: { readonly params: readonly MethodParameter[] };
};

/** One thing wrong with a value: where, which rule of the schema, and in words. */
export interface ValidationIssue {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly message: string;
  readonly params: { readonly [name: string]: unknown };
}

/** A generated validator. */
interface Check {
  (value: unknown): boolean;
  errors?:
    | readonly {
        instancePath: string;
        keyword: string;
        message?: string;
        params: { [name: string]: unknown };
      }[]
    | null;
}

/** The checks of a contract's methods. */
export interface MethodChecks<MethodName extends string> {
  /** Issues of an object of named parameters, in which null stands for nothing any more; none = valid. */
  readonly validators: {
    readonly [name in MethodName]: (params: unknown) => readonly ValidationIssue[];
  };
  /** Whether a value alone fits a parameter. */
  matchesParameter(this: void, method: MethodName, parameter: string, value: unknown): boolean;
}

/**
 * The checks of a contract, for generated code.
 *
 * @param checks - generated validators, by `METHOD` and `METHOD_PARAMETER`
 */
export const methodChecks = <MethodName extends string>(
  methods: ParameterTable<MethodName>,
  checks: { readonly [name: string]: Check },
): MethodChecks<MethodName> => {
  const names = Object.keys(methods) as MethodName[];
  const parameters = new Map(
    names.flatMap((method) =>
      methods[method].params.map(({ name }) => [`${method} ${name}`, checks[`${method}_${name}`]!] as const),
    ),
  );
  return {
    validators: Object.fromEntries(
      names.map((name) => [name, issuesOf(checks[name]!)]),
    ) as MethodChecks<MethodName>["validators"],
    matchesParameter: (method, parameter, value) =>
      parameters.get(`${method} ${parameter}`)?.(value) ?? false,
  };
};

const issuesOf =
  (check: Check) =>
  (params: unknown): readonly ValidationIssue[] =>
    check(params)
      ? []
      : (check.errors ?? []).map(({ instancePath, keyword, message, params: about }) => ({
          path: instancePath
            .split("/")
            .slice(1)
            .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
          keyword,
          message: message ?? "is not valid",
          params: about,
        }));
