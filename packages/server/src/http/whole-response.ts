import type { Connection } from "./connection.ts";
import { drainedOrClosed } from "./counted-response.ts";
import type { WholeRequest } from "./whole-request.ts";

/** The response to a `WholeRequest`, written to the socket: the same bytes that node:http would write, in fewer steps. */
export class WholeResponse {
  readonly req: WholeRequest;
  readonly client: Connection;
  /** Bytes that count as owed until the system has taken all of them. */
  owedBytes = 0;
  shouldKeepAlive = true;
  /** Written with the first bytes of the body. */
  #head = "";
  #isEnded = false;
  #onFinish: (() => void) | null = null;

  constructor(req: WholeRequest, client: Connection) {
    this.req = req;
    this.client = client;
  }

  get socket(): WholeRequest["socket"] {
    return this.req.socket;
  }

  get destroyed(): boolean {
    return this.socket.destroyed;
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** @param headers - name and value in turn, of ASCII that a header may hold */
  writeHead(status: number, statusText: string, headers: string[]): void {
    let head = `HTTP/1.1 ${status} ${statusText}\r\n`;
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
    this.#head = `${head}Date: ${dateText()}\r\n${this.shouldKeepAlive ? this.client.keepAliveHead : CLOSE_HEAD}\r\n`;
  }

  /** @returns false where the caller has to take what was written first: see `drained` */
  write(chunk: string | Uint8Array): boolean {
    if (this.#head !== "") this.#writeHead();
    return typeof chunk === "string" ? this.socket.write(chunk, "utf8") : this.socket.write(chunk);
  }

  end(chunk?: string | Uint8Array, encoding: BufferEncoding = "utf8"): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // A caller that hung up gets nothing: its connection is being closed.
    if (!this.socket.writable) return;
    if (typeof chunk === "string") {
      this.socket.write(this.#head + chunk, encoding, this.#onWritten);
    } else if (chunk === undefined) {
      this.socket.write(this.#head, "latin1", this.#onWritten);
    } else {
      this.socket.cork();
      this.#writeHead();
      this.socket.write(chunk, this.#onWritten);
      this.socket.uncork();
    }
    this.#head = "";
    this.client.onAnswered(this, chunk, encoding);
  }

  cork(): void {
    this.socket.cork();
  }

  uncork(): void {
    this.socket.uncork();
  }

  /** Calls `callback` when the system has taken all of the response; never where the connection closes before. */
  onceFinished(callback: () => void): void {
    this.#onFinish = callback;
  }

  /** Resolves when the caller has received what was written, or has disconnected. */
  drained(): Promise<void> {
    return drainedOrClosed(this.socket);
  }

  #writeHead(): void {
    this.socket.write(this.#head, "latin1");
    this.#head = "";
  }

  readonly #onWritten = (error?: Error | null): void => {
    if (error !== null && error !== undefined) return;
    this.#onFinish?.();
    if (!this.shouldKeepAlive) this.socket.destroySoon();
    this.client.onTaken(this);
  };
}

const CLOSE_HEAD = "Connection: close\r\n";

let dateSecond = 0;
let date = "";

/** Written once a second. */
const dateText = (): string => {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(now).toUTCString();
  }
  return date;
};
