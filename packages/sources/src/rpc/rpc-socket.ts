import { WebSocket } from "ws";
import type { RpcEndpoint } from "./endpoint.ts";
import {
  MESSAGE_BYTES_MAX,
  OPEN_SOCKET_MS_MAX,
  PING_MS,
  REASON_CHARACTERS_MAX,
  SILENCE_MS_MAX,
  SUBSCRIBE_MS_MAX,
} from "./limits.ts";
import { parseAnswer } from "./rpc-client.ts";
import { RpcRefusal, RpcTrouble } from "./rpc-fault.ts";

export interface Notification {
  /** Null where the kind of subscription carries none. */
  readonly slot: number | null;
  readonly value: unknown;
}

type Listener = (notification: Notification) => void;

interface Asked {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly listener: Listener;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
  readonly params?: { readonly subscription: number; readonly result: unknown } | null;
}

/**
 * One WebSocket to a node with its subscriptions, until it ends or is silent for too long. It is replaced, never
 * repaired.
 */
export class RpcSocket {
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<string>;
  readonly #socket: WebSocket;
  readonly #endpoint: RpcEndpoint;
  readonly #asked = new Map<number, Asked>();
  readonly #listeners = new Map<number, Listener>();
  readonly #pings: NodeJS.Timeout;
  #lastMessageMs = performance.now();
  #nextId = 1;
  #reason: string | null = null;

  private constructor(socket: WebSocket, endpoint: RpcEndpoint) {
    this.#socket = socket;
    this.#endpoint = endpoint;
    this.ended = new Promise((resolve) => {
      socket.once("close", (code: number) => {
        clearInterval(this.#pings);
        const reason = this.#reason ?? `the WebSocket was closed (${code})`;
        for (const { reject } of this.#asked.values()) reject(new RpcTrouble(reason));
        this.#asked.clear();
        resolve(reason);
      });
    });
    socket.on("error", (error) => (this.#reason ??= endpoint.redact(error.message)));
    socket.on("message", (data: Buffer) => this.#take(data));
    socket.on("pong", () => (this.#lastMessageMs = performance.now()));
    this.#pings = setInterval(() => this.#ping(), PING_MS);
  }

  /** @throws RpcTrouble */
  static open(endpoint: RpcEndpoint, signal: AbortSignal): Promise<RpcSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(endpoint.url, {
        maxPayload: MESSAGE_BYTES_MAX,
        handshakeTimeout: OPEN_SOCKET_MS_MAX,
        perMessageDeflate: false,
        followRedirects: false,
        headers: endpoint.authorization === null ? {} : { authorization: endpoint.authorization },
      });
      const onAbort = (): void => socket.terminate();
      signal.addEventListener("abort", onAbort, { once: true });
      socket.once("close", () => signal.removeEventListener("abort", onAbort));
      socket.once("error", (error) =>
        reject(new RpcTrouble(endpoint.redact(error.message), { cause: error })),
      );
      socket.once("open", () => resolve(new RpcSocket(socket, endpoint)));
    });
  }

  /**
   * Resolves once the node has accepted the subscription.
   *
   * @throws RpcRefusal, RpcTrouble
   */
  async subscribe(method: string, params: readonly unknown[], listener: Listener): Promise<void> {
    // The socket is closed: neither an answer nor an error would arrive.
    if (this.#socket.readyState !== WebSocket.OPEN)
      throw new RpcTrouble(this.#reason ?? "the WebSocket is closed");
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#asked.set(id, { resolve, reject, listener });
    const deadline = setTimeout(
      () => reject(new RpcTrouble(`${method} was not answered within ${SUBSCRIBE_MS_MAX} ms`)),
      SUBSCRIBE_MS_MAX,
    );
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    try {
      await promise;
    } finally {
      clearTimeout(deadline);
      this.#asked.delete(id);
    }
  }

  close(reason: string): void {
    this.#reason ??= reason;
    this.#socket.terminate();
  }

  #ping(): void {
    if (performance.now() - this.#lastMessageMs > SILENCE_MS_MAX) this.close("the WebSocket fell silent");
    else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  #take(data: Buffer): void {
    this.#lastMessageMs = performance.now();
    let message: Message | null;
    try {
      message = parseAnswer(data.toString("utf8")) as Message | null;
    } catch {
      this.close("the WebSocket sent a message that is not JSON");
      return;
    }
    if (typeof message?.params === "object" && message.params !== null) this.#notify(message.params);
    else if (typeof message?.id === "number") this.#settle(message.id, message);
  }

  #settle(id: number, { result, error }: Message): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    if (error !== undefined && error !== null) {
      const said = this.#endpoint.redact(String(error.message)).slice(0, REASON_CHARACTERS_MAX);
      asked.reject(new RpcRefusal(Number(error.code), said));
      return;
    }
    // From here on, notifications may arrive in the same turn.
    this.#listeners.set(Number(result), asked.listener);
    asked.resolve();
  }

  #notify({ subscription, result }: { readonly subscription: number; readonly result: unknown }): void {
    const held = result as {
      readonly context?: { readonly slot?: unknown };
      readonly value?: unknown;
    } | null;
    const slot =
      typeof held === "object" && typeof held?.context?.slot === "number" ? held.context.slot : null;
    this.#listeners.get(subscription)?.({ slot, value: slot === null ? result : held!.value });
  }
}
