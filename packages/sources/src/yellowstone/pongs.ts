import type { ClientWritableStream } from "@grpc/grpc-js";
import { encodePingRequest } from "./encode-request.ts";
import { PONGS_PER_SECOND_MAX } from "./limits.ts";

/**
 * Answers to the pings of one stream: a few a second, and none while one waits to be sent. Otherwise they would
 * accumulate for a server that does not read them.
 */
export class Pongs {
  readonly #call: Pick<ClientWritableStream<Uint8Array>, "write">;
  /** The current second began then. */
  #sinceMs = 0;
  #count = 0;
  #areWaiting = false;

  constructor(call: Pick<ClientWritableStream<Uint8Array>, "write">) {
    this.#call = call;
  }

  answer(): void {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs >= 1000) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    if (this.#areWaiting || this.#count >= PONGS_PER_SECOND_MAX) return;
    this.#count += 1;
    this.#areWaiting = true;
    this.#call.write(encodePingRequest(1), () => {
      this.#areWaiting = false;
    });
  }
}
