import type { MethodSettings, Profile, Readable } from "@lamplight/core";
import { startDeadline, unlessAborted } from "./call/deadline.ts";
import type { BatchAnswer, CallLimits, Transport, WireCall } from "./call/transport.ts";
import { rpcErrorCodes } from "./generated/error-codes.ts";
import { parseExact } from "./json/parse-exact.ts";
import { writeExact } from "./json/write-exact.ts";
import { RpcError } from "./rpc-error.ts";

export interface InProcessTransportOptions {
  readonly readable: Readable;
  readonly profile: Profile;
  readonly apiVersion: string;
}

/** What the calls run on, loaded with the first: it may not be installed, and whoever only speaks HTTP does not need it. */
interface Methods {
  readonly core: typeof import("@lamplight/core");
  readonly errors: typeof import("@lamplight/errors");
  readonly settings: MethodSettings;
}

/** Calls into core's methods. Requests and results pass through their text, so that both ways mean the same. */
export class InProcessTransport implements Transport {
  readonly #options: InProcessTransportOptions;
  #methods: Promise<Methods> | null = null;

  constructor(options: InProcessTransportOptions) {
    this.#options = options;
  }

  async call(call: WireCall, limits: CallLimits): Promise<unknown> {
    const [answer] = await this.batch([call], limits);
    if (!answer!.ok) throw answer!.error;
    return answer!.result;
  }

  async batch(calls: readonly WireCall[], limits: CallLimits): Promise<readonly BatchAnswer<unknown>[]> {
    const { readable, profile, apiVersion } = this.#options;
    const { core, errors, settings } = await (this.#methods ??= loadMethods(apiVersion));
    const deadline = startDeadline(limits);
    const views = new core.RequestViews(readable);
    const context = { views, profile, settings, signal: deadline.signal };
    const answerAll = async (): Promise<readonly BatchAnswer<unknown>[]> => {
      const answers: BatchAnswer<unknown>[] = [];
      for (const { method, params } of calls) {
        deadline.signal.throwIfAborted();
        const request = core.parseExact(writeExact(params));
        answers.push(
          await core.callMethod(method, request, context).then(
            (text) => ({ ok: true, result: parseExact(text) }),
            (error: unknown) => ({ ok: false, error: toClientError(error, method, errors) }),
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

/** @throws Error that names the packages where they are not installed */
const loadMethods = async (apiVersion: string): Promise<Methods> => {
  try {
    const [core, errors] = await Promise.all([import("@lamplight/core"), import("@lamplight/errors")]);
    return { core, errors, settings: core.createMethodSettings({ apiVersion }) };
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message =
      "calls without a server run on @lamplight/core and @lamplight/errors: install both next to @lamplight/client";
    throw new Error(message, { cause });
  }
};

const toClientError = (error: unknown, method: string, errors: Methods["errors"]): RpcError => {
  const face = errors.isLamplightError(error) ? errors.toRpcError(error, method) : null;
  return face === null
    ? new RpcError(rpcErrorCodes.InternalError, "Internal error", undefined, { cause: error })
    : new RpcError(face.code, face.message, face.data, { cause: error });
};
