/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { brokenInvariant } from "@lamplight/errors";
import { fromPlainError, type PlainError, toPlainError } from "./plain-error.ts";

/** Either end of what connects two threads. */
interface Port {
  postMessage(message: unknown): void;
  on(event: "message", listener: (message: PortMessage) => void): unknown;
}

/** Answers calls of one name that the other thread makes. */
// oxlint-disable-next-line typescript/no-explicit-any -- both ends agree on the argument by the name
export type PortHandler = (argument: any) => unknown;

type PortMessage =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: PlainError };

/** Calls between two threads, in both directions. Errors arrive as what they are. */
export class PortCalls {
  readonly #port: Port;
  readonly #handlers: Readonly<Record<string, PortHandler>>;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;
  #closed: Error | null = null;

  /** @param handlers - may be added to later */
  constructor(port: Port, handlers: Readonly<Record<string, PortHandler>>) {
    this.#port = port;
    this.#handlers = handlers;
    port.on("message", (message) => this.#take(message));
  }

  call<Result>(name: string, argument: unknown): Promise<Result> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    const id = (this.#calls += 1);
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.#port.postMessage({ kind: "call", id, name, argument } satisfies PortMessage);
    return answer.promise as Promise<Result>;
  }

  /** The other thread has ended: every open call fails. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }

  #take(message: PortMessage): void {
    switch (message.kind) {
      case "call":
        void this.#answer(message);
        return;
      case "done":
        return this.#settle(message.id, ({ resolve }) => resolve(message.result));
      case "failed":
        return this.#settle(message.id, ({ reject }) => reject(fromPlainError(message.error)));
      default:
        message satisfies never;
    }
  }

  #settle(id: number, settle: (answer: PromiseWithResolvers<unknown>) => void): void {
    const answer = this.#asked.get(id);
    this.#asked.delete(id);
    if (answer !== undefined) settle(answer);
  }

  async #answer({ id, name, argument }: Extract<PortMessage, { readonly kind: "call" }>): Promise<void> {
    let answer: PortMessage;
    try {
      const handler = this.#handlers[name];
      if (handler === undefined) throw brokenInvariant(`no thread answers ${name}`);
      answer = { kind: "done", id, result: await handler(argument) };
    } catch (error) {
      answer = { kind: "failed", id, error: toPlainError(error) };
    }
    if (this.#closed === null) this.#port.postMessage(answer);
  }
}
