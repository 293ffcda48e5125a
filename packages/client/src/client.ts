import type { Answer, Reply, Walk, WalkOptions } from "./call/answer.ts";
import { normalizeAsset } from "./call/normalize-content.ts";
import type { BatchAnswer, CallLimits, Transport, WireCall } from "./call/transport.ts";
import { waitForSlot, type WaitForSlotOptions } from "./call/wait-for-slot.ts";
import { startWalk } from "./call/walk.ts";
import { toWireParams } from "./call/wire-params.ts";
import { type MethodPositions, type Methods, methodShapes } from "./generated/methods.ts";
import type { Encoding, MethodName, MethodTypes } from "./generated/types.ts";
import { uint64Members } from "./generated/uint64-members.ts";
import { shapeIntegers } from "./json/shape-integers.ts";
import { isKey } from "./json/stringify-exact.ts";
import type { IntegerMode } from "./types/values.ts";

/** One call of a batch: positions, or one object of names. */
export type Call = {
  readonly [Name in MethodName]: {
    readonly method: Name;
    readonly params?: Readonly<MethodPositions[Name]> | Readonly<MethodTypes[Name]["params"]>;
  };
}[MethodName];

/** The encoding that the parameters of a call name; without one it is base64. */
type EncodingIn<Params> = Params extends
  | { readonly config: { readonly encoding: infer E extends Encoding } }
  | readonly [...unknown[], { readonly encoding: infer E extends Encoding }]
  ? E
  : "base64";

/** The answers of a batch: each has the result type of its own call. */
export type BatchAnswers<Calls extends readonly Call[], I extends IntegerMode = "amounts"> = {
  -readonly [Index in keyof Calls]: BatchAnswer<
    MethodTypes<EncodingIn<Calls[Index]["params"]>, I>[Calls[Index]["method"]]["result"]
  >;
};

/** Every method of the contract, and what a client does besides: batches, waiting, whole answers. */
export interface Client<I extends IntegerMode = "amounts"> extends Methods<I> {
  /** The same methods; each gives `{ result, slot, updatedSlot, incompleteTrees }`. */
  readonly withMeta: Methods<I, true>;
  /**
   * Several calls at once; one answer each, in their order. A refused call does not fail the others. Larger batches
   * than the server allows are sent in parts, which can be of different slots.
   *
   * ```ts
   * const [asset, supply] = await client.batch([
   *   { method: "getAsset", params: [id] },
   *   { method: "getTokenSupply", params: { pubKey: mint } },
   * ]);
   * if (asset.ok) console.log(asset.result.content.metadata.name);
   * ```
   */
  batch<const Calls extends readonly Call[]>(calls: Calls): Promise<BatchAnswers<Calls, I>>;
  /**
   * Resolves once answers contain a slot: what a transaction of that slot wrote can be read from then on. The limit is
   * `timeoutMs` of the client, over the whole wait: `client.with({ timeoutMs: 60_000 }).waitForSlot(slot)`.
   *
   * @throws a `TimeoutError` that names the newest slot
   */
  waitForSlot(slot: number | bigint, options?: WaitForSlotOptions): Promise<void>;
  /** The same client with other limits: `client.with({ signal }).getAsset(id)`. */
  with(limits: CallLimits): Client<I>;
}

/** The typed face of a transport. */
export const createTypedClient = <I extends IntegerMode>(
  transport: Transport,
  limits: CallLimits,
  integers: I,
): Client<I> => {
  const shape = (method: MethodName, value: unknown): unknown => {
    const result = shapeIntegers(value, uint64Members[method], integers);
    if (method === "getAsset") normalizeAsset(result);
    if (method === "searchAssets") (result as { items: unknown[] }).items.forEach(normalizeAsset);
    return result;
  };
  const ask = async (
    method: MethodName,
    given: readonly unknown[],
    callLimits: CallLimits,
  ): Promise<Answer<unknown>> => {
    const answer = await transport.call({ method, params: toWireParams(method, given) }, callLimits);
    return { ...answer, result: shape(method, answer.result) };
  };
  return {
    ...createMethods<I, false>(ask, limits, ({ result }) => result),
    withMeta: createMethods<I, true>(ask, limits, (answer) => answer),
    batch: async (calls) => {
      const { answers } = await transport.batch(calls.map(toWireCall), limits);
      return answers.map((answer, index) =>
        answer.ok ? { ok: true, result: shape(calls[index]!.method, answer.result) } : answer,
      ) as never;
    },
    waitForSlot: (slot, options = {}) => waitForSlot(transport, slot, options, limits),
    with: (more) => createTypedClient(transport, { ...limits, ...more }, integers),
  };
};

type Ask = (method: MethodName, given: readonly unknown[], limits: CallLimits) => Promise<Answer<unknown>>;

const createMethods = <I extends IntegerMode, M extends boolean>(
  ask: Ask,
  limits: CallLimits,
  replyOf: (answer: Answer<unknown>) => unknown,
): Methods<I, M> => {
  const methods = Object.entries(methodShapes).map(([name, { pages }]) => {
    const method = name as MethodName;
    const call = async (...given: readonly unknown[]): Promise<Reply<unknown, M>> =>
      replyOf(await ask(method, given, limits)) as Reply<unknown, M>;
    if (pages === undefined) return [name, call];
    const [items, first] = pages;
    const all = (given: unknown = {}, options: WalkOptions = {}): Walk<unknown, never> =>
      walkPages(ask, method, items, isNames(given) ? given : { [first]: given }, options, limits);
    return [name, Object.assign(call, { all })];
  });
  return Object.fromEntries(methods) as Methods<I, M>;
};

type Names = { readonly [name: string]: unknown };

const isNames = (given: unknown): given is Names =>
  typeof given === "object" && given !== null && !isKey(given);

const walkPages = (
  ask: Ask,
  method: MethodName,
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

const toWireCall = ({ method, params }: Call): WireCall => ({
  method,
  params: toWireParams(method, Array.isArray(params) ? params : params === undefined ? [] : [params]),
});
