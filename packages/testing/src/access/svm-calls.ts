import { parseExact, RpcError, stringifyExact } from "@lamplight/client";
import type { ViewSource } from "@lamplight/core";
import type { Attached, WriteSlot } from "../svm/attach-svm.ts";
import { AttachedSvm } from "../svm/attached-svm.ts";
import type { LiteSvmLike } from "../svm/lite-svm.ts";
import { type SvmChain, svmMethods } from "../svm/svm-methods.ts";
import { type Answerer, callPath, dasPath, jsonAnswer } from "./chain-fetch.ts";
import type { HttpAnswer, HttpCall } from "./in-process-server.ts";

/** The server takes as many. It refuses a longer batch. */
const BATCH_CALLS_MAX = 100;

interface SvmRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params?: unknown;
}

/** Answers the methods of the LiteSVM instance that was attached last. All other calls go to the server. */
export class SvmCalls implements Answerer {
  readonly #server: Answerer;
  readonly #viewSource: ViewSource;
  #attached: readonly AttachedSvm[] = [];

  constructor(server: Answerer, viewSource: ViewSource) {
    this.#server = server;
    this.#viewSource = viewSource;
  }

  attach(svm: LiteSvmLike, write: WriteSlot): Attached {
    const attached = new AttachedSvm(svm, write);
    this.#attached = [...this.#attached, attached];
    return {
      detach: () => {
        this.#attached = this.#attached.filter((one) => one !== attached);
        attached.detach();
      },
    };
  }

  async call(call: HttpCall): Promise<HttpAnswer> {
    const sent = isRpcCall(call) ? readBody(call.body) : null;
    if (isSvmRequest(sent)) return jsonAnswer(await this.#answer(sent));
    if (!Array.isArray(sent) || sent.length > BATCH_CALLS_MAX || !sent.some(isSvmRequest))
      return this.#server.call(call);
    return this.#answerBatch(call, sent);
  }

  /** Answers in the order of the batch, because web3.js reads them by position. */
  async #answerBatch(call: HttpCall, requests: readonly unknown[]): Promise<HttpAnswer> {
    const answers: string[] = [];
    for (const request of requests) {
      if (isSvmRequest(request)) {
        answers.push(await this.#answer(request));
        continue;
      }
      const answer = await this.#server.call({ ...call, body: Buffer.from(stringifyExact(request)) });
      if (answer.status >= 400) return answer;
      // Notifications have no answer.
      if (answer.body.length > 0) answers.push(Buffer.from(answer.body).toString());
    }
    return jsonAnswer(`[${answers.join(",")}]`);
  }

  async #answer({ id, method, params }: SvmRequest): Promise<string> {
    try {
      const result = await this.#run(method, params ?? []);
      return stringifyExact({ jsonrpc: "2.0", id, result });
    } catch (error) {
      return stringifyExact({ jsonrpc: "2.0", id, error: wireError(error) });
    }
  }

  async #run(method: string, params: unknown): Promise<unknown> {
    const svm = this.#attached.at(-1);
    if (svm === undefined) {
      const message = `Method not found: ${method} needs a LiteSVM instance; attach one with chain.attach(svm)`;
      throw new RpcError({ code: -32601, message });
    }
    if (!Array.isArray(params))
      throw new RpcError({ code: -32602, message: "Invalid params: must be an array" });
    const chain: SvmChain = { svm, slotOf: (commitment) => this.#slotOf(commitment) };
    return svmMethods.get(method)!(params, chain);
  }

  async #slotOf(commitment: Parameters<SvmChain["slotOf"]>[0]): Promise<number> {
    const view = await this.#viewSource.openView(commitment);
    try {
      return view.slot;
    } finally {
      view.close();
    }
  }
}

const isRpcCall = ({ method, path }: HttpCall): boolean =>
  method === "POST" && [callPath, dasPath].includes(path.split("?", 1)[0]!);

/** Undefined where the server explains what is wrong with the body. */
const readBody = (body: Uint8Array): unknown => {
  try {
    return parseExact(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
};

const isSvmRequest = (request: unknown): request is SvmRequest => {
  if (typeof request !== "object" || request === null) return false;
  const { jsonrpc, id, method } = request as { readonly [name: string]: unknown };
  const hasId = id === null || ["string", "number", "bigint"].includes(typeof id);
  return jsonrpc === "2.0" && hasId && typeof method === "string" && svmMethods.has(method);
};

/** LiteSVM throws for what it does not support, such as an unknown version of a transaction. */
const wireError = (error: unknown) => {
  if (!(error instanceof RpcError)) return { code: -32603, message: `Internal error: ${String(error)}` };
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
};
