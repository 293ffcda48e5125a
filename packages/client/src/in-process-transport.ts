import type { Commitment, MethodSettings, Profile, ViewSource } from "@lamplight/core";
import { startDeadline, unlessAborted } from "./call/deadline.ts";
import type { Answer } from "./call/answer.ts";
import type { BatchAnswer, BatchReply, CallLimits, Transport, WireCall } from "./call/transport.ts";
import { RpcError } from "./errors/rpc-error.ts";
import { rpcErrorCodes } from "./generated/error-codes.ts";
import { parseExact } from "./json/parse-exact.ts";
import { stringifyExact } from "./json/stringify-exact.ts";

/** A server names at most as many in a header. */
const TREES_NAMED_MAX = 20;

/** The source of the answers, and their form. */
export interface InProcessTransportOptions {
  /** Opens one view of the store for each call or batch. */
  readonly viewSource: ViewSource;
  /** Form of answers for a missing account and a missing encoding. */
  readonly profile: Profile;
  /** Answered as `context.apiVersion`. */
  readonly apiVersion: string;
  /** Commitment that the asset methods read at; default `confirmed`. */
  readonly assetCommitment?: Commitment | undefined;
  /** Loads the methods of another contract; default: those of core. */
  readonly loadMethods?: ((core: Core) => Promise<CallMethod>) | undefined;
}

type Core = typeof import("@lamplight/core");

/** Answers one call with the text of its result. */
export type CallMethod = Core["callMethod"];

/** The packages that calls run on. They are loaded with the first call, because users of HTTP do not install them. */
interface Methods {
  readonly core: Core;
  readonly errors: typeof import("@lamplight/errors");
  readonly settings: MethodSettings;
  readonly callMethod: CallMethod;
}

/** Calls into core's methods. Requests and results pass through their text, so that both ways mean the same. */
export class InProcessTransport implements Transport {
  readonly #options: InProcessTransportOptions;
  #methods: Promise<Methods> | null = null;

  constructor(options: InProcessTransportOptions) {
    this.#options = options;
  }

  /** @throws RpcError what the method refused with */
  async call(call: WireCall, limits: CallLimits): Promise<Answer<unknown>> {
    const { answers, ...state } = await this.batch([call], limits);
    const [answer] = answers;
    if (!answer!.ok) throw answer!.error;
    return { ...state, result: answer!.result };
  }

  /** Runs the calls one after another over one view. */
  async batch(calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply> {
    const { viewSource, profile } = this.#options;
    const { core, errors, settings, callMethod } = await (this.#methods ??= loadMethods(this.#options));
    const deadline = startDeadline(limits);
    const isAlone = calls.length === 1;
    const request = new core.CallRequest({ viewSource, settings, profile, isAlone });
    const answerAll = async (): Promise<readonly BatchAnswer<unknown>[]> => {
      const answers: BatchAnswer<unknown>[] = [];
      for (const { method, params } of calls) {
        deadline.signal.throwIfAborted();
        const given = core.parseExact(stringifyExact(params));
        answers.push(
          await callMethod(method, given, request).then(
            (text) => ({ ok: true, result: parseExact(text) }),
            (error: unknown) => ({ ok: false, error: toClientError(error, method, errors) }),
          ),
        );
      }
      return answers;
    };
    try {
      const answers = await unlessAborted(answerAll(), deadline.signal);
      const slots = request.slots();
      return {
        answers,
        slot: slots.length === 1 ? slots[0]! : null,
        updatedSlot: request.updatedSlot,
        incompleteTrees: request.incompleteTrees().slice(0, TREES_NAMED_MAX),
      };
    } finally {
      if (deadline.signal.aborted) request.cancel();
      request.close();
      deadline.end();
    }
  }
}

/** @throws TypeError that names the packages to install, as for other mistakes in how a client is set up */
const loadMethods = async (options: InProcessTransportOptions): Promise<Methods> => {
  const { apiVersion, assetCommitment, loadMethods: loadOthers } = options;
  try {
    const [core, errors] = await Promise.all([import("@lamplight/core"), import("@lamplight/errors")]);
    return {
      core,
      errors,
      callMethod: (await loadOthers?.(core)) ?? core.callMethod,
      settings: core.createMethodSettings({
        apiVersion,
        ...(assetCommitment === undefined ? {} : { assetCommitment }),
      }),
    };
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const others = loadOthers === undefined ? "" : ", and @lamplight/das for its methods";
    const message = `calls without a server run on @lamplight/core and @lamplight/errors: install both next to @lamplight/client${others}`;
    throw new TypeError(message, { cause });
  }
};

const toClientError = (cause: unknown, method: string, errors: Methods["errors"]): RpcError => {
  const face = errors.isLamplightError(cause) ? errors.toRpcError(cause, method) : null;
  const wire = face ?? { code: rpcErrorCodes.InternalError, message: "Internal error" };
  return new RpcError(wire, { method, cause });
};
