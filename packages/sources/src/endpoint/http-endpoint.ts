import { parseExact } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parseEndpoint } from "../rpc/endpoint.ts";
import type { Answer, Endpoint, Outcome } from "./endpoint.ts";
import { exactJson } from "./exact-json.ts";
import { isForNow, type Reply, untilServed } from "./until-served.ts";

export interface HttpEndpointOptions {
  /** The whole address, key included. */
  readonly url: string;
  /** Sent as `Solana-Client`: a Lamplight server then answers in the agave profile. */
  readonly isSolanaClient?: boolean;
  /** The flag and the variable that choose another server; absent = it is a node, and no server of ours. */
  readonly setting?: string;
  /** Whether many calls follow: each waits where the server is asked too often, and a refused key ends them. Default false. */
  readonly isSeries?: boolean;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS_DEFAULT = 60_000;
const ANSWER_BYTES_MAX = 256 << 20;
const QUOTED_CHARACTERS_MAX = 200;
const UNAUTHORIZED = 401;

/** @throws LamplightError `CLI__USAGE` */
export const openHttpEndpoint = (options: HttpEndpointOptions): Endpoint => {
  const { url, authorization, name, redact } = parseEndpoint(options.url, ["http:", "https:"]);
  const headers = {
    "content-type": "application/json",
    ...(options.isSolanaClient === true ? { "solana-client": "lamplight" } : {}),
    ...(authorization === null ? {} : { authorization }),
  };
  const refused = (reason: string): LamplightError =>
    new LamplightError("SOURCE__REFUSED", { url: name, reason: redact(reason) });
  const send = options.fetch ?? fetch;
  const postOnce = async (body: string): Promise<Reply> => {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS_DEFAULT);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    return send(url, { method: "POST", headers, body, signal })
      .then(async (response) => ({ response, text: await readText(response, refused) }))
      .catch((cause: unknown) => {
        if (cause instanceof LamplightError || options.signal?.aborted === true) throw cause;
        const about = { url: name, reason: redact(reasonOf(cause)) };
        const { setting } = options;
        if (setting === undefined) throw new LamplightError("SOURCE__UNREACHABLE", about, { cause });
        throw new LamplightError("SERVER__UNREACHABLE", { ...about, setting }, { cause });
      });
  };
  let id = 0;
  return {
    name,
    call: async (method, params) => {
      id += 1;
      const body = exactJson({ jsonrpc: "2.0", id, method, params });
      const post = () => postOnce(body);
      const reply = options.isSeries === true ? await untilServed(post, options.signal) : await post();
      const outcome = readOutcome(reply.text);
      const { status } = reply.response;
      if (outcome === null) throw refused(`HTTP ${status}, and no JSON-RPC: ${quoteOf(reply.text)}`);
      if (options.isSeries === true && (status === UNAUTHORIZED || isForNow(reply)))
        throw refused(`HTTP ${status}: ${quoteOf(outcome.ok ? reply.text : outcome.error.message)}`);
      return answerOf(outcome, reply.response.headers);
    },
    close: async () => {},
  };
};

const readText = async (response: Response, refused: (reason: string) => LamplightError): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw refused(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
};

const quoteOf = (text: string): string => text.replaceAll(/\s+/gu, " ").slice(0, QUOTED_CHARACTERS_MAX);

/** Null where the text is no JSON-RPC response. */
const readOutcome = (text: string): Outcome | null => {
  let reply: unknown;
  try {
    reply = parseExact(text);
  } catch {
    return null;
  }
  if (typeof reply !== "object" || reply === null) return null;
  const { result, error } = reply as { readonly result?: unknown; readonly error?: unknown };
  if (typeof error === "object" && error !== null) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    return { ok: false, error: { code: Number(code), message: String(message), data } };
  }
  return "result" in reply ? { ok: true, result } : null;
};

const answerOf = (outcome: Outcome, headers: Headers): Answer => {
  const coverage = headers.get("x-coverage");
  const trees = headers.get("x-incomplete-trees");
  return {
    outcome,
    slot: slotOf(headers.get("x-slot")) ?? slotIn(outcome),
    notes: [
      ...(coverage === null ? [] : [`coverage: ${coverage}`]),
      ...(trees === null ? [] : [`incomplete trees: ${trees}`]),
    ],
  };
};

const slotOf = (text: string | null): bigint | null =>
  text !== null && /^\d{1,20}$/u.test(text) ? BigInt(text) : null;

/** Solana nodes report it in the context, asset servers as `last_indexed_slot`. */
const slotIn = (outcome: Outcome): bigint | null => {
  if (!outcome.ok || typeof outcome.result !== "object" || outcome.result === null) return null;
  const { context, last_indexed_slot: indexed } = outcome.result as {
    readonly context?: { readonly slot?: unknown } | null;
    readonly last_indexed_slot?: unknown;
  };
  return slotOf(String(context?.slot ?? indexed ?? ""));
};

/** `fetch` hides the reason in a cause. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error & { readonly cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
};
