import { shapeIntegers, type Uint64Plan } from "../json/shape-integers.ts";
import { isKey } from "../json/stringify-exact.ts";
import type { IntegerMode } from "../types/values.ts";
import type { Answer, Walk, WalkOptions } from "./answer.ts";
import type { MethodShape } from "./method-shape.ts";
import { normalizeAssets } from "./normalize-content.ts";
import type { CallLimits, Transport, WireCall } from "./transport.ts";
import { waitForSlot, type WaitForSlotOptions } from "./wait-for-slot.ts";
import { startWalk } from "./walk.ts";
import { toWireParams } from "./wire-params.ts";

/** A client knows this of the methods of its contract, by wire name. */
export interface ClientFacts {
  /** How parameters and pages look. */
  readonly methodShapes: { readonly [method: string]: MethodShape };
  /** The 64-bit integers in the result. */
  readonly uint64Members: { readonly [method: string]: Uint64Plan };
}

/** A call of a batch. */
interface GivenCall {
  readonly method: string;
  readonly params?: unknown;
}

/** The client of a contract over a transport. Its types are declared by hand, and follow from the same contract. */
export const createTypedClient = <C>(
  facts: ClientFacts,
  transport: Transport,
  limits: CallLimits,
  integers: IntegerMode,
): C => {
  const { methodShapes, uint64Members } = facts;
  const shape = (method: string, value: unknown): unknown => {
    const result = shapeIntegers(value, uint64Members[method], integers);
    if (method.includes("Asset")) normalizeAssets(result);
    return result;
  };
  const toWireCall = ({ method, params }: GivenCall): WireCall => ({
    method,
    params: toWireParams(
      methodShapes[method] ?? {},
      Array.isArray(params) ? params : params === undefined ? [] : [params],
    ),
  });
  const ask: Ask = async (method, given, callLimits) => {
    const params = toWireParams(methodShapes[method]!, given);
    const answer = await transport.call({ method, params }, callLimits);
    return { ...answer, result: shape(method, answer.result) };
  };
  const client = {
    ...createMethods(methodShapes, ask, limits, ({ result }) => result),
    withMeta: createMethods(methodShapes, ask, limits, (answer) => answer),
    batch: async (calls: readonly GivenCall[]) => {
      const { answers } = await transport.batch(calls.map(toWireCall), limits);
      return answers.map((answer, index) =>
        answer.ok ? { ok: true, result: shape(calls[index]!.method, answer.result) } : answer,
      );
    },
    waitForSlot: (slot: number | bigint, options: WaitForSlotOptions = {}) =>
      waitForSlot(transport, slot, options, limits),
    with: (more: CallLimits): C => createTypedClient(facts, transport, { ...limits, ...more }, integers),
  };
  return client as C;
};

type Ask = (method: string, given: readonly unknown[], limits: CallLimits) => Promise<Answer<unknown>>;

const createMethods = (
  methodShapes: ClientFacts["methodShapes"],
  ask: Ask,
  limits: CallLimits,
  replyOf: (answer: Answer<unknown>) => unknown,
): object => {
  const methods = Object.entries(methodShapes).map(([method, { pages }]) => {
    const call = async (...given: readonly unknown[]): Promise<unknown> =>
      replyOf(await ask(method, given, limits));
    if (pages === undefined) return [method, call];
    const [items, first] = pages;
    const all = (given: unknown = {}, options: WalkOptions = {}): Walk<unknown, never> =>
      walkPages(ask, method, items, isNames(given) ? given : { [first]: given }, options, limits);
    return [method, Object.assign(call, { all })];
  });
  return Object.fromEntries(methods) as object;
};

type Names = { readonly [name: string]: unknown };

const isNames = (given: unknown): given is Names =>
  typeof given === "object" && given !== null && !isKey(given);

const walkPages = (
  ask: Ask,
  method: string,
  items: string,
  first: Names,
  options: WalkOptions,
  limits: CallLimits,
): Walk<unknown, never> => {
  const source = {
    fetchPage: async (cursor: string | undefined, signal: AbortSignal) => {
      const params = cursor === undefined ? first : { ...first, page: undefined, after: undefined, cursor };
      return (await ask(method, [params], { ...limits, signal })).result as never;
    },
    itemsOf: (page: never): readonly unknown[] => page[items],
    start: first["cursor"] as string | undefined,
  };
  const signals = [options.signal, limits.signal].filter((signal) => signal !== undefined);
  return startWalk(source, options.readAhead, signals);
};
