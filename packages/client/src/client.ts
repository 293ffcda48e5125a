import { type ClientFacts, createTypedClient } from "./call/typed-client.ts";
import type { BatchAnswer, CallLimits, Transport } from "./call/transport.ts";
import type { WaitForSlotOptions } from "./call/wait-for-slot.ts";
import { type MethodPositions, type Methods, methodShapes } from "./generated/methods.ts";
import type { Encoding, MethodName, MethodTypes } from "./generated/types.ts";
import { uint64Members } from "./generated/uint64-members.ts";
import type { IntegerMode } from "./types/values.ts";

/** One call of a batch: positions, or one object of names. */
export type Call = {
  readonly [Name in MethodName]: {
    readonly method: Name;
    readonly params?: Readonly<MethodPositions[Name]> | Readonly<MethodTypes[Name]["params"]>;
  };
}[MethodName];

/** The encoding that the parameters of a call name; without one it is base64. */
export type EncodingIn<Params> = Params extends
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

/** A client knows this of the main contract. */
const mainFacts: ClientFacts = { methodShapes, uint64Members };

/** The client of the main contract over a transport. */
export const createMainClient = <I extends IntegerMode>(
  transport: Transport,
  limits: CallLimits,
  integers: I,
): Client<I> => createTypedClient<Client<I>>(mainFacts, transport, limits, integers);
