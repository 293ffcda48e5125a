import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { Connection } from "./connection.ts";

/** A response that reports its end to its connection, regardless of who sends it. */
export class CountedResponse extends ServerResponse<IncomingMessage> {
  /** Null for what Node itself refuses before there is a request. */
  client: Connection | null = null;
  /** Bytes that count as owed until `detachSocket`. */
  owedBytes = 0;

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    const isFirst = !this.writableEnded;
    super.end(chunk as string, encoding as BufferEncoding, callback as () => void);
    if (isFirst) this.client?.onAnswered(this, chunk, encoding);
    return this;
  }

  /** Node calls this once per response: in a later tick than `end`, when the system has taken all of it. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.client?.onTaken(this);
  }

  /** Resolves when the caller has received what was written, or has disconnected. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.off("drain", done);
        this.off("close", done);
        resolve();
      };
      this.on("drain", done);
      this.on("close", done);
    });
  }
}
