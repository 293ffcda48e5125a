import {
  callMethod,
  type MethodSettings,
  parseExact as parseRequest,
  type Profile,
  type Readable,
  RequestViews,
} from "@lamplight/core";
import { isLamplightError, toRpcError } from "@lamplight/errors";
import { startDeadline, unlessAborted } from "./call/deadline.ts";
import type { BatchAnswer, CallLimits, Transport, WireCall } from "./call/transport.ts";
import { rpcErrorCodes } from "./generated/error-codes.ts";
import { parseExact } from "./json/parse-exact.ts";
import { writeExact } from "./json/write-exact.ts";
import { RpcError } from "./rpc-error.ts";

export interface InProcessTransportOptions {
  readonly readable: Readable;
  readonly profile: Profile;
  readonly settings: MethodSettings;
}

/** Calls into core's methods. Requests and results pass through their text, so that both ways mean the same. */
export class InProcessTransport implements Transport {
  readonly #options: InProcessTransportOptions;

  constructor(options: InProcessTransportOptions) {
    this.#options = options;
  }

  async call(call: WireCall, limits: CallLimits): Promise<unknown> {
    const [answer] = await this.batch([call], limits);
    if (!answer!.ok) throw answer!.error;
    return answer!.result;
  }

  async batch(calls: readonly WireCall[], limits: CallLimits): Promise<readonly BatchAnswer<unknown>[]> {
    const { readable, profile, settings } = this.#options;
    const deadline = startDeadline(limits);
    const views = new RequestViews(readable);
    const context = { views, profile, settings, signal: deadline.signal };
    const answerAll = async (): Promise<readonly BatchAnswer<unknown>[]> => {
      const answers: BatchAnswer<unknown>[] = [];
      for (const { method, params } of calls) {
        deadline.signal.throwIfAborted();
        const request = parseRequest(writeExact(params));
        answers.push(
          await callMethod(method, request, context).then(
            (text) => ({ ok: true, result: parseExact(text) }),
            (error: unknown) => ({ ok: false, error: toClientError(error, method) }),
          ),
        );
      }
      return answers;
    };
    try {
      return await unlessAborted(answerAll(), deadline.signal);
    } finally {
      views.close();
      deadline.end();
    }
  }
}

const toClientError = (error: unknown, method: string): RpcError => {
  const face = isLamplightError(error) ? toRpcError(error, method) : null;
  return face === null
    ? new RpcError(rpcErrorCodes.InternalError, "Internal error", undefined, { cause: error })
    : new RpcError(face.code, face.message, face.data, { cause: error });
};
