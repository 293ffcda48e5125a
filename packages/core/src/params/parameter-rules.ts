import type { MethodParameter, ValidationIssue } from "@lamplight/contract";

/** Parameters by their names in the contract. */
export type NamedParams = { [name: string]: unknown };

/** The rules that a contract has for the parameters of one method. */
export interface ParameterRules {
  /** Name of the method. */
  readonly method: string;
  /** Positional ones first, in order. */
  readonly specs: readonly MethodParameter[];
  /** Everything that is wrong with an object of named parameters; none = valid. */
  readonly check: (named: object) => readonly ValidationIssue[];
  /** Whether a value alone fits a parameter. */
  readonly fits: (parameter: string, value: unknown) => boolean;
}

/** The generated code of a contract: its methods, and the checks of their parameters. */
export interface ContractRules {
  readonly methods: { readonly [name: string]: { readonly params: readonly MethodParameter[] } };
  readonly validators: { readonly [name: string]: (params: unknown) => readonly ValidationIssue[] };
  matchesParameter(method: string, parameter: string, value: unknown): boolean;
}

/** The rules of one method of a contract. */
export const rulesOf = (contract: ContractRules, method: string): ParameterRules => ({
  method,
  specs: contract.methods[method]!.params,
  check: contract.validators[method]!,
  fits: (parameter, value) => contract.matchesParameter(method, parameter, value),
});
