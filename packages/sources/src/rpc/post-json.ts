import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { parseRetryAfter } from "@lamplight/errors";
import type { RpcEndpoint } from "./endpoint.ts";
import { CONCURRENT_CALLS_MAX, REASON_CHARACTERS_MAX } from "./limits.ts";
import { RpcForbidden, RpcTooLarge, RpcTrouble } from "./rpc-fault.ts";

export interface PostOptions {
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Called as the answer arrives; null = its length is not known. */
  readonly onBytes?: ((bytes: number, total: number | null) => void) | undefined;
  readonly signal: AbortSignal;
}

/** The next step if another server answered, or the path is wrong. */
const elsewhere = "No JSON-RPC is served at this URL: check its host, port and path";

/** Kept connections to one node. */
export class JsonPoster {
  readonly #endpoint: RpcEndpoint;
  readonly #agent: HttpAgent;

  constructor(endpoint: RpcEndpoint) {
    this.#endpoint = endpoint;
    const options = { keepAlive: true, maxSockets: CONCURRENT_CALLS_MAX };
    this.#agent = endpoint.url.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /**
   * @returns the body of a good answer
   * @throws RpcTrouble, RpcForbidden
   */
  async post(body: string, options: PostOptions): Promise<string> {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    try {
      const response = await this.#send(body, AbortSignal.any([options.signal, deadline]));
      const text = await readText(response, options);
      this.#assertGood(response, text);
      return text;
    } catch (error) {
      if (error instanceof RpcTrouble || error instanceof RpcForbidden) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = deadline.aborted ? `no whole answer within ${options.timeoutMs} ms` : (code ?? message);
      throw new RpcTrouble(this.#endpoint.redact(reason), { cause: error });
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(body: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, authorization } = this.#endpoint;
    const request = url.protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const sent = request(url, {
        method: "POST",
        agent: this.#agent,
        signal,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          ...(authorization === null ? {} : { authorization }),
        },
      });
      sent.on("response", resolve).on("error", reject);
      sent.end(body);
    });
  }

  #assertGood({ statusCode = 0, headers }: IncomingMessage, text: string): void {
    const isPage = text.trimStart().startsWith("<");
    if (statusCode >= 200 && statusCode < 300) {
      if (isPage) throw new RpcTrouble("it sends a web page instead of JSON-RPC");
      return;
    }
    const quoted = isPage
      ? "(a web page)"
      : this.#endpoint.redact(text).replaceAll(/\s+/gu, " ").slice(0, REASON_CHARACTERS_MAX);
    const reason = `HTTP ${statusCode}${quoted === "" ? "" : ` ${quoted}`}`;
    if (statusCode === 429 || statusCode === 408 || statusCode >= 500) {
      throw new RpcTrouble(reason, { retryAfterMs: parseRetryAfter(headers["retry-after"], Date.now()) });
    }
    // Some nodes describe the error of a call in the body of a 400.
    if (statusCode === 400 && text.startsWith("{")) return;
    if (statusCode === 413) throw new RpcTooLarge(reason);
    const isElsewhere = isPage || statusCode === 404 || statusCode === 405;
    throw new RpcForbidden(isElsewhere ? `${reason}. ${elsewhere}` : reason);
  }
}

const readText = async (response: IncomingMessage, { bytesMax, onBytes }: PostOptions): Promise<string> => {
  const reported = Number(response.headers["content-length"]);
  const total = Number.isSafeInteger(reported) ? reported : null;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) throw new RpcTooLarge(`an answer is larger than ${bytesMax} bytes`);
    parts.push(part);
    onBytes?.(bytes, total);
  }
  return Buffer.concat(parts).toString("utf8");
};
