import type { BatchAnswer, CallLimits, Transport, WireCall } from "./call/transport.ts";
import { waitForSlot, type WaitForSlotOptions } from "./call/wait-for-slot.ts";
import { widenUint64 } from "./call/widen-uint64.ts";
import { toWireParams } from "./call/wire-params.ts";
import { type MethodPositions, type Methods, methodShapes } from "./generated/methods.ts";
import type { MethodName, MethodTypes } from "./generated/types.ts";
import { uint64Members } from "./generated/uint64-members.ts";

/** One call of a batch: positions, or one object of names. */
export type Call = {
  readonly [Name in MethodName]: {
    readonly method: Name;
    readonly params?: Readonly<MethodPositions[Name]> | Readonly<MethodTypes[Name]["params"]>;
  };
}[MethodName];

export type BatchAnswers<Calls extends readonly Call[]> = {
  -readonly [Index in keyof Calls]: BatchAnswer<MethodTypes[Calls[Index]["method"]]["result"]>;
};

export interface Client extends Methods {
  /**
   * Several calls in one request; one answer each, in their order. A refused call does not fail the others.
   *
   * ```ts
   * const [asset, supply] = await client.batch([
   *   { method: "getAsset", params: [id] },
   *   { method: "getTokenSupply", params: { pubKey: mint } },
   * ]);
   * if (asset.ok) console.log(asset.result.content.metadata.name);
   * ```
   *
   * @throws RpcError when the batch as a whole is refused, for one because it is too large
   */
  batch<const Calls extends readonly Call[]>(calls: Calls): Promise<BatchAnswers<Calls>>;
  /**
   * Resolves once answers contain a slot: what a transaction of that slot wrote can be read from then on. The limit is
   * `timeoutMs` of the client, over the whole wait: `client.with({ timeoutMs: 60_000 }).waitForSlot(slot)`.
   *
   * @throws a `TimeoutError` that names the newest slot
   */
  waitForSlot(slot: number | bigint, options?: WaitForSlotOptions): Promise<void>;
  /** The same client with other limits: `client.with({ signal }).getAsset(id)`. */
  with(limits: CallLimits): Client;
}

/** The typed face of a transport. */
export const createFace = (transport: Transport, limits: CallLimits): Client => {
  const names = Object.keys(methodShapes) as MethodName[];
  const methods = Object.fromEntries(
    names.map((method) => [
      method,
      async (...given: unknown[]) =>
        widenUint64(
          await transport.call({ method, params: toWireParams(method, given) }, limits),
          uint64Members[method],
        ),
    ]),
  ) as unknown as Methods;
  return {
    ...methods,
    batch: async (calls) => widenAnswers(calls, await transport.batch(calls.map(toWireCall), limits)),
    waitForSlot: (slot, options = {}) => waitForSlot(transport, slot, options, limits),
    with: (more) => createFace(transport, { ...limits, ...more }),
  };
};

const toWireCall = ({ method, params }: Call): WireCall => ({
  method,
  params: toWireParams(method, Array.isArray(params) ? params : params === undefined ? [] : [params]),
});

const widenAnswers = <Calls extends readonly Call[]>(
  calls: Calls,
  answers: readonly BatchAnswer<unknown>[],
): BatchAnswers<Calls> =>
  answers.map((answer, index) =>
    answer.ok
      ? { ok: true, result: widenUint64(answer.result, uint64Members[calls[index]!.method]) }
      : answer,
  ) as BatchAnswers<Calls>;
