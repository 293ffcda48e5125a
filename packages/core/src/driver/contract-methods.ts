import { isLamplightError, LamplightError } from "@lamplight/errors";
import type { MaybePromise } from "../ports/read-view.ts";
import type { FinishedJson } from "../json/json-bytes.ts";
import type { Method } from "../methods/method.ts";
import { nearestName } from "../params/nearest-name.ts";
import { type ContractRules, type ParameterRules, rulesOf } from "../params/parameter-rules.ts";
import { parseParams } from "../params/parse-params.ts";
import type { CallRequest } from "./call-request.ts";
import { runMethod } from "./run-method.ts";

/** A method with the rules of its parameters. */
interface CallableMethod {
  readonly rules: ParameterRules;
  readonly method: Method<never, unknown>;
}

/** The methods that one address answers. */
export class ContractMethods {
  /** A Map, so that inherited names such as `constructor` are no methods. */
  readonly #methods: ReadonlyMap<string, CallableMethod>;

  private constructor(methods: ReadonlyMap<string, CallableMethod>) {
    this.#methods = methods;
  }

  /** @param table - every method of the contract by wire name */
  static of(
    contract: ContractRules,
    table: { readonly [name: string]: Method<never, unknown> },
  ): ContractMethods {
    const methods = Object.entries(table).map(
      ([name, method]) => [name, { rules: rulesOf(contract, name), method }] as const,
    );
    return new ContractMethods(new Map(methods));
  }

  get names(): readonly string[] {
    return [...this.#methods.keys()];
  }

  has(name: string): boolean {
    return this.#methods.has(name);
  }

  /** Whether calls of a method may read many rows; false for a name that is no method. */
  isList(name: string): boolean {
    return this.#methods.get(name)?.method.isList === true;
  }

  /** These methods, and some of another contract. */
  and(other: ContractMethods, names: Iterable<string>): ContractMethods {
    const methods = new Map(this.#methods);
    for (const name of names) methods.set(name, other.#methods.get(name)!);
    return new ContractMethods(methods);
  }

  /**
   * Answers one call: the finished JSON of `result`, at once where the method and the store need not wait.
   *
   * @param params - as received: positions, names, or undefined for none; numbers as `parseExact` gives them
   * @throws LamplightError `REQUEST__METHOD_NOT_FOUND`, a `PARAM__…`, or what the method refuses with
   */
  answer(name: string, params: unknown, request: CallRequest): MaybePromise<FinishedJson<unknown>> {
    const found = this.#methods.get(name);
    if (found === undefined) throw methodNotFound(name, this.#methods.keys());
    const { rules, method } = found;
    const refuse = (error: unknown): never => {
      throw inWordsOfCaller(error, rules, params);
    };
    try {
      const parsed = parseParams(rules, params, request.profile);
      const answer = runMethod(name, method, parsed, request);
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
    }
  }
}

/** @param names - the methods that a misspelt name may mean */
export const methodNotFound = (method: string, names: Iterable<string>): LamplightError => {
  const nearest = nearestName(method, names);
  return new LamplightError("REQUEST__METHOD_NOT_FOUND", {
    method,
    ...(nearest === undefined ? {} : { nearest }),
  });
};

/** A refusal names the contract's parameter; the caller knows it by its position, or by the name they gave. */
const inWordsOfCaller = (error: unknown, { specs }: ParameterRules, params: unknown): unknown => {
  if (!isLamplightError(error, "PARAM__INVALID") || error.context.position !== null) return error;
  const [root, ...rest] = error.context.parameter.split(".");
  const index = specs.findIndex((spec) => spec.name === root);
  if (index < 0) return error;
  const { byNameOnly, aliases } = specs[index]!;
  if (Array.isArray(params)) {
    if (byNameOnly) return error;
    return new LamplightError("PARAM__INVALID", { ...error.context, position: index + 1 }, { cause: error });
  }
  const named = (params ?? {}) as { readonly [name: string]: unknown };
  const isGiven = (name: string): boolean => (named[name] ?? null) !== null;
  const given = aliases.find(isGiven);
  if (given === undefined || isGiven(root!)) return error;
  const parameter = [given, ...rest].join(".");
  return new LamplightError("PARAM__INVALID", { ...error.context, parameter }, { cause: error });
};
