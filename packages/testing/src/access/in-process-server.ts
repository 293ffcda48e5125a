import { Agent, type AgentOptions, type IncomingHttpHeaders, request } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import type { Commitment, ViewSource } from "@lamplight/core";
import { type RunningServer, type ServerOptions, startServer } from "@lamplight/server";

/** The only key of a test chain. */
export const testKey = "test";

export interface HttpCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface InProcessOptions {
  readonly viewSource: ViewSource;
  readonly assetCommitment: Commitment;
  /** Contracts that are served besides the main one. */
  readonly methods: NonNullable<ServerOptions["methods"]>;
  /** Folder of the pages; null = none. */
  readonly docsDirectory: string | null;
}

/** The real server without a port: each connection is a pair of streams in this process. */
export class InProcessServer {
  readonly #options: InProcessOptions;
  #running: Promise<{ readonly server: RunningServer; readonly agent: Agent }> | null = null;

  constructor(options: InProcessOptions) {
    this.#options = options;
  }

  async call({ method, path, headers, body }: HttpCall): Promise<HttpAnswer> {
    const { agent } = await (this.#running ??= this.#start());
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent, method, path, headers: { host: "localhost", ...headers } },
        (response) => {
          const chunks: Uint8Array[] = [];
          response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  async close(): Promise<void> {
    if (this.#running === null) return;
    const { server, agent } = await this.#running;
    agent.destroy();
    await server.stop();
  }

  async #start() {
    const server = await startServer({
      ...this.#options,
      keys: [testKey],
      publicKey: this.#options.docsDirectory === null ? null : testKey,
      listens: false,
      privateNetworkOrigins: [],
    });
    return { server, agent: new StreamAgent((stream) => server.accept(stream), { keepAlive: false }) };
  }
}

class StreamAgent extends Agent {
  readonly #connect: (stream: Duplex) => void;

  constructor(connect: (stream: Duplex) => void, options: AgentOptions) {
    super(options);
    this.#connect = connect;
  }

  override createConnection(): Duplex {
    const [own, other] = duplexPair();
    this.#connect(other);
    return own;
  }
}
