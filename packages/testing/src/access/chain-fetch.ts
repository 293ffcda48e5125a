import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, faultMessage, type Faults } from "../faults.ts";
import { type HttpAnswer, type HttpCall, testKey } from "./in-process-server.ts";

export const callPath = `/v3/${testKey}`;
export const dasPath = `/das/${testKey}`;

interface RpcCall {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** Answers an HTTP request. */
export interface Answerer {
  call(call: HttpCall): Promise<HttpAnswer>;
}

/** Answers HTTP requests with the real server, unless a fault of the chain answers first. */
export class ChainHttp {
  readonly #server: Answerer;
  readonly #faults: Faults;
  /** Path of the DAS methods; null = they are not served. */
  readonly dasPath: string | null;

  constructor(server: Answerer, faults: Faults, servesDas: boolean) {
    this.#server = server;
    this.#faults = faults;
    this.dasPath = servesDas ? dasPath : null;
  }

  async answer(call: HttpCall): Promise<HttpAnswer> {
    if (this.#faults.delayMs > 0) await sleep(this.#faults.delayMs);
    // Clients are often configured with a host only, so a call to any other path gets a path with the chain's key.
    const isCall = call.method === "POST" && !call.path.startsWith("/v3/");
    const routed = isCall ? { ...call, path: this.dasPath ?? callPath } : call;
    return this.#faults.isEmpty ? this.#server.call(routed) : this.#answerFaulty(routed);
  }

  async #answerFaulty(call: HttpCall): Promise<HttpAnswer> {
    const parsed = parseCalls(call.body);
    if (parsed === null) return this.#server.call(call);
    const faults = parsed.calls.map(({ method }) => this.#faults.take(String(method)));
    const refusal = faults.find((fault) => fault?.status !== undefined);
    if (refusal) return statusAnswer(refusal);
    const errors = parsed.calls.flatMap(({ id = null }, index) => {
      const fault = faults[index];
      if (!fault) return [];
      return [{ jsonrpc: "2.0", id, error: { code: fault.code, message: faultMessage(fault) } }];
    });
    if (errors.length === 0) return this.#server.call(call);
    if (!parsed.isBatch) return jsonAnswer(JSON.stringify(errors[0]));
    const rest = parsed.calls.filter((_, index) => !faults[index]);
    if (rest.length === 0) return jsonAnswer(JSON.stringify(errors));
    const answer = await this.#server.call({ ...call, body: Buffer.from(JSON.stringify(rest)) });
    const answers = Buffer.from(answer.body).toString();
    if (!answers.startsWith("[")) return answer;
    // Joined as text, so that every number keeps its digits.
    const joined = `[${errors.map((error) => JSON.stringify(error)).join(",")},${answers.slice(1)}`;
    return jsonAnswer(joined);
  }
}

/** A `fetch` that only ever reaches this chain, regardless of the address. */
export const fetchOf =
  (http: ChainHttp): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const headers: Record<string, string> = {};
    for (const [name, value] of request.headers) if (!hopHeaders.has(name)) headers[name] = value;
    // A `Response` that is made here is not decompressed by anyone.
    headers["accept-encoding"] = "identity";
    const body = new Uint8Array(await request.arrayBuffer());
    request.signal.throwIfAborted();
    const answering = http.answer({ method: request.method, path: pathname + search, headers, body });
    const answer = await unlessAborted(answering, request.signal);
    const hasBody = request.method !== "HEAD" && !bodiless.has(answer.status);
    return new Response(hasBody ? (answer.body as Uint8Array<ArrayBuffer>) : null, {
      status: answer.status,
      headers: headersOf(answer),
    });
  };

const hopHeaders = new Set(["connection", "content-length", "host", "keep-alive", "transfer-encoding"]);
const bodiless = new Set([204, 205, 304]);

const headersOf = ({ headers }: HttpAnswer): Headers => {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopHeaders.has(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) read.append(name, one);
  }
  return read;
};

const unlessAborted = async <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  // It may have been aborted while the body was read.
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};

const parseCalls = (
  body: Uint8Array,
): { readonly calls: readonly RpcCall[]; readonly isBatch: boolean } | null => {
  try {
    const parsed = JSON.parse(Buffer.from(body).toString()) as RpcCall | readonly RpcCall[];
    const isBatch = Array.isArray(parsed);
    return { calls: isBatch ? (parsed as readonly RpcCall[]) : [parsed as RpcCall], isBatch };
  } catch {
    return null;
  }
};

const statusAnswer = (fault: Fault): HttpAnswer => ({
  status: fault.status!,
  headers: {
    ...anyOrigin,
    "content-type": "text/plain",
    ...(fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }),
  },
  body: Buffer.from(faultMessage(fault)),
});

/** A page of any origin may read it, as it may read answers of the server. */
const anyOrigin = { "access-control-allow-origin": "*" };

export const jsonAnswer = (text: string): HttpAnswer => ({
  status: 200,
  headers: { ...anyOrigin, "content-type": "application/json" },
  body: Buffer.from(text),
});
