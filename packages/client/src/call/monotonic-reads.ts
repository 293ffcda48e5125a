import { RpcError } from "../errors/rpc-error.ts";
import type { Answer } from "./answer.ts";
import type { BatchReply, CallLimits, Transport, WireCall } from "./transport.ts";

type Names = { readonly [name: string]: unknown };

const SLOT_NOT_REACHED = -32016;

/** Position of the parameter whose member `minContextSlot` is read; other methods have none. */
const configAt: { readonly [method: string]: number } = {
  getAsset: 1,
  getAccountInfo: 1,
  getTokenAccountsByDelegate: 2,
};
/** All others are asset methods: they take it as a parameter of its own, by name, and read at the level of the server. */
const accountMethods: readonly string[] = [
  "getAccountInfo",
  "getTokenAccountsByDelegate",
  "getTokenSupply",
  "getLargestAccounts",
];

/**
 * Reads never go back in time, regardless of the server that answers: each call carries the newest slot that this client had seen at
 * its commitment when the call was sent, as `minContextSlot`. A server that is behind it refuses at once, with
 * `MinContextSlotNotReachedError`; so does an older answer of a method without that parameter. An import of its own,
 * so that a bundle contains it only where it is used: `createClient({ url, consistency: monotonicReads })`.
 */
export const monotonicReads = (transport: Transport): Transport => new MonotonicReads(transport);

class MonotonicReads implements Transport {
  readonly #inner: Transport;
  /** By commitment. The asset methods have a level of their own, a setting of the server. */
  readonly #newest = new Map<string, number>();

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  async call(call: WireCall, limits: CallLimits): Promise<Answer<unknown>> {
    const note = this.#start(levelOf(call));
    const answer = await this.#inner.call(this.#withSlot(call), limits);
    const refusal = note(answer.slot);
    if (refusal !== null) throw refusal;
    return answer;
  }

  /** One batch for each level, because each is read at a slot of its own. Their answers keep the order of the calls. */
  async batch(calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply> {
    const levels = [...new Set(calls.map(levelOf))];
    const parts = await Promise.all(
      levels.map((level) =>
        this.#batchOf(
          level,
          calls.filter((call) => levelOf(call) === level),
          limits,
        ),
      ),
    );
    if (parts.length === 1) return parts[0]!;
    const answers = parts.map((part) => part.answers.values());
    const slot = parts[0]?.slot ?? null;
    return {
      answers: calls.map((call) => answers[levels.indexOf(levelOf(call))]!.next().value!),
      slot: parts.every((part) => part.slot === slot) ? slot : null,
      updatedSlot: null,
      incompleteTrees: [...new Set(parts.flatMap(({ incompleteTrees }) => incompleteTrees))],
    };
  }

  /** The calls of a level that went back are refused one by one, so that those of other levels are answered. */
  async #batchOf(level: string, calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply> {
    const note = this.#start(level);
    const sent = calls.map((call) => this.#withSlot(call));
    const reply = await this.#inner.batch(sent, limits);
    const error = note(reply.slot);
    if (error === null) return reply;
    return { ...reply, answers: reply.answers.map((answer) => (answer.ok ? { ok: false, error } : answer)) };
  }

  /** Slots seen before the calls are sent count: answers of concurrent calls may come in any order. */
  #start(level: string): (slot: number | null) => RpcError | null {
    const least = this.#newest.get(level) ?? 0;
    return (slot) => {
      if (slot === null) return null;
      if (slot < least) {
        const message = "Minimum context slot has not been reached";
        return new RpcError({ code: SLOT_NOT_REACHED, message, data: { contextSlot: slot } });
      }
      this.#newest.set(level, Math.max(slot, this.#newest.get(level) ?? 0));
      return null;
    };
  }

  #withSlot(call: WireCall): WireCall {
    const minContextSlot = this.#newest.get(levelOf(call));
    if (minContextSlot === undefined) return call;
    const { method, params } = call;
    const at = configAt[method];
    if (!Array.isArray(params)) {
      const names = params as Names;
      const isOwn = !accountMethods.includes(method);
      if (!isOwn && at === undefined) return call;
      const config = { minContextSlot, ...(names["config"] as Names) };
      return { method, params: isOwn ? { minContextSlot, ...names } : { ...names, config } };
    }
    if (at === undefined) return call;
    const positions = [...(params as readonly unknown[])];
    while (positions.length < at) positions.push(null);
    positions[at] = { minContextSlot, ...(positions[at] as Names | null) };
    return { method, params: positions };
  }
}

const levelOf = ({ method, params }: WireCall): string => {
  if (!accountMethods.includes(method)) return "asset";
  const given: unknown = Array.isArray(params) ? params.at(-1) : (params as Names)["config"];
  return (given as { commitment?: string } | null | undefined)?.commitment ?? "finalized";
};
