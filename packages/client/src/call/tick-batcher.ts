import type { Answer } from "./answer.ts";
import type { BatchReply, CallLimits, Transport, WireCall } from "./transport.ts";

interface Waiting {
  readonly call: WireCall;
  readonly resolve: (answer: Answer<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends the calls of one turn of the event loop as one batch; calls with other limits are in another one. An import of
 * its own, so that a bundle contains it only where it is used: `createClient({ url, batching: perTick })`.
 */
export const perTick = (transport: Transport): Transport => new TickBatcher(transport);

class TickBatcher implements Transport {
  readonly #inner: Transport;
  #groups: { readonly limits: CallLimits; readonly waiting: Waiting[] }[] = [];

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  call(call: WireCall, limits: CallLimits): Promise<Answer<unknown>> {
    return new Promise((resolve, reject) => {
      if (this.#groups.length === 0) setTimeout(() => this.#flush(), 0);
      let group = this.#groups.find(
        (one) => one.limits.signal === limits.signal && one.limits.timeoutMs === limits.timeoutMs,
      );
      if (group === undefined) this.#groups.push((group = { limits, waiting: [] }));
      group.waiting.push({ call, resolve, reject });
    });
  }

  batch(calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply> {
    return this.#inner.batch(calls, limits);
  }

  #flush(): void {
    const groups = this.#groups;
    this.#groups = [];
    for (const { limits, waiting } of groups) void this.#send(waiting, limits);
  }

  async #send(waiting: readonly Waiting[], limits: CallLimits): Promise<void> {
    if (waiting.length === 1) {
      const { call, resolve, reject } = waiting[0]!;
      this.#inner.call(call, limits).then(resolve, reject);
      return;
    }
    try {
      const calls = waiting.map(({ call }) => call);
      const { answers, ...state } = await this.#inner.batch(calls, limits);
      for (const [index, answer] of answers.entries()) {
        if (answer.ok) waiting[index]!.resolve({ ...state, result: answer.result });
        else waiting[index]!.reject(answer.error);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
